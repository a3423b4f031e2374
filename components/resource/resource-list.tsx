"use client";

import { Plus } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { lazy, Suspense, useMemo, useRef } from "react";
import { useKey } from "@/components/keyboard/use-key";
import { FilterBox } from "@/components/resource/filter-box";
import { FilterChoice, NamesChoice } from "@/components/resource/filter-chip";
import { LoadMore } from "@/components/resource/load-more";
import { LookMenu } from "@/components/resource/look-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { ResourceTable } from "@/components/resource/resource-table";
import { useDebounced } from "@/components/resource/use-debounced";
import { useList } from "@/components/resource/use-list";
import { shownColumns, useLook } from "@/components/resource/use-look";
import { hrefOf, idOf, type Filter, type ScreenProps } from "@/components/resource/view";
import { ViewsMenu } from "@/components/resource/views-menu";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { Skeleton } from "@/components/ui/skeleton";
import type { ResourceName } from "@/lib/resources";

const Peek = lazy(async () => ({ default: (await import("@/components/resource/peek")).ResourcePeek }));

const NO_FILTERS: readonly Filter[] = [];

/** A list that the server filters, sorts and pages. The URL holds what is seen. */
export function ResourceList<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  const filters = view.filters ?? NO_FILTERS;
  const keys = useMemo(
    () => ({
      q: parseAsString.withDefault(""),
      sort: parseAsString.withDefault(view.sort),
      peek: parseAsString,
      ...Object.fromEntries(filters.map((filter) => [filter.key, parseAsString])),
    }),
    [filters, view.sort],
  );
  const [seen, setSeen] = useQueryStates(keys, { history: "push" });
  const [look, setLook] = useLook(facts.resource);
  const chosen = Object.fromEntries(
    filters.flatMap(({ key }) => (typeof seen[key as "q"] === "string" ? [[key, seen[key as "q"]]] : [])),
  );
  const list = useList(facts.resource, { q: useDebounced(seen.q, 150), sort: seen.sort, filters: chosen });
  const narrowed = seen.q !== "" || Object.keys(chosen).length > 0;
  const clear = () => void setSeen({ q: null, ...Object.fromEntries(filters.map(({ key }) => [key, null])) });
  const [one, many] = facts.words;

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-2 px-5 py-3">
        <h1 className="sr-only">{capital(many)}</h1>
        <FilterBox
          label={`Filter ${many}`}
          value={seen.q}
          onChange={(q) => void setSeen({ q }, { history: "replace" })}
        />
        <ViewsMenu
          list={facts.resource}
          query={{
            ...(seen.q !== "" && { q: seen.q }),
            ...(seen.sort !== view.sort && { sort: seen.sort }),
            ...chosen,
          }}
          look={look}
          onLook={setLook}
        />
        {filters.map((filter) => {
          const choice = {
            label: filter.label,
            value: chosen[filter.key] ?? null,
            onChange: (value: string | null) => void setSeen({ [filter.key]: value }),
          };
          return "names" in filter ? (
            <NamesChoice key={filter.key} {...choice} names={filter.names} />
          ) : (
            <FilterChoice key={filter.key} {...choice} options={filter.options} />
          );
        })}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {list.total === null ? "" : `${list.total.toLocaleString("en")} ${list.total === 1 ? one : many}`}
        </span>
        <div className="ml-auto flex items-center gap-2">
          <LookMenu columns={view.columns} look={look} onChange={setLook} />
          {facts.canWrite && view.Actions !== undefined && <view.Actions />}
          {facts.canWrite && <NewLink href={`/admin/${facts.resource}/new`} label={`New ${one}`} />}
        </div>
      </div>
      {list.isError ? (
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <ListSkeleton />
      ) : list.rows.length === 0 ? (
        <Nothing
          narrowed={narrowed}
          onClear={clear}
          words={facts.words}
          purpose={view.purpose}
          canWrite={facts.canWrite}
          resource={facts.resource}
        />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <ResourceTable
            label={capital(many)}
            columns={shownColumns(view.columns, look)}
            rows={list.rows}
            idOf={(row) => idOf(facts, row)}
            hrefOf={(row) => hrefOf(facts.resource, idOf(facts, row))}
            sort={seen.sort}
            onSort={(sort) => void setSeen({ sort })}
            stale={list.isPlaceholderData}
            canWrite={facts.canWrite}
            compact={look.density === "compact"}
            peeking={{
              peeked: seen.peek,
              // Moving on with an open peek is no new step back.
              onPeek: (peek) => void setSeen({ peek }, { history: seen.peek === null ? "push" : "replace" }),
            }}
          />
          <LoadMore pages={list} shown={list.rows.length} total={list.total} />
        </div>
      )}
      {seen.peek !== null && (
        <Suspense>
          <Peek
            facts={facts}
            view={view as unknown as ScreenProps<ResourceName>["view"]}
            id={seen.peek}
            onClose={() => void setSeen({ peek: null })}
          />
        </Suspense>
      )}
    </div>
  );
}

function NewLink({ href, label }: { href: string; label: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useKey("create", () => link.current?.click());
  return (
    <LinkButton ref={link} href={href} variant="primary">
      <Plus aria-hidden /> {label}
    </LinkButton>
  );
}

interface NothingProps {
  narrowed: boolean;
  onClear: () => void;
  words: readonly [string, string];
  purpose: string;
  canWrite: boolean;
  resource: ResourceName;
}

/** Nothing matches, or there is nothing yet: two things that ask for different actions. */
function Nothing({ narrowed, onClear, words: [one, many], purpose, canWrite, resource }: NothingProps) {
  if (narrowed)
    return (
      <EmptyState title={`No ${many} match`} action={<Button onClick={onClear}>Clear filters</Button>}>
        Nothing fits what you typed and chose above.
      </EmptyState>
    );
  const action = canWrite ? (
    <LinkButton href={`/admin/${resource}/new`} variant="primary">
      <Plus aria-hidden /> New {one}
    </LinkButton>
  ) : undefined;
  return (
    <EmptyState title={`No ${many} yet`} action={action}>
      {purpose}
    </EmptyState>
  );
}

function ListSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col">
      {Array.from({ length: 8 }, (_, index) => (
        <div key={index} className="flex h-9 items-center gap-6 border-b border-line px-5">
          <Skeleton className="w-40" />
          <Skeleton className="w-72" />
          <Skeleton className="ml-auto w-20" />
        </div>
      ))}
    </div>
  );
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
