"use client";

import { Plus, Search, X } from "lucide-react";
import { parseAsString, useQueryStates } from "nuqs";
import { useEffect, useMemo, useRef } from "react";
import { ProblemNote } from "@/components/resource/problem-note";
import { ResourceTable } from "@/components/resource/resource-table";
import { useList } from "@/components/resource/use-list";
import { useNames, type Named } from "@/components/resource/use-names";
import { hrefOf, idOf, type Filter, type ScreenProps } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { isTyping } from "@/components/ui/is-typing";
import { Kbd } from "@/components/ui/kbd";
import { LinkButton } from "@/components/ui/link-button";
import { Select, type SelectOption } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import type { ResourceName } from "@/lib/resources";

const NO_FILTERS: readonly Filter[] = [];

/** A list that the server filters, sorts and pages. The URL holds what is seen. */
export function ResourceList<R extends ResourceName>({ facts, view }: ScreenProps<R>) {
  const filters = view.filters ?? NO_FILTERS;
  const keys = useMemo(
    () => ({
      q: parseAsString.withDefault(""),
      sort: parseAsString.withDefault(view.sort),
      ...Object.fromEntries(filters.map((filter) => [filter.key, parseAsString])),
    }),
    [filters, view.sort],
  );
  const [seen, setSeen] = useQueryStates(keys, { history: "push" });
  const chosen = Object.fromEntries(
    filters.flatMap(({ key }) => (typeof seen[key as "q"] === "string" ? [[key, seen[key as "q"]]] : [])),
  );
  const list = useList(facts.resource, { q: seen.q, sort: seen.sort, filters: chosen });
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
          onChange={(q) => void setSeen({ q: q === "" ? null : q }, { history: "replace" })}
        />
        {filters.map((filter) => {
          const chip = {
            label: filter.label,
            value: chosen[filter.key] ?? null,
            onChange: (value: string | null) => void setSeen({ [filter.key]: value }),
          };
          return "names" in filter ? (
            <NamesFilterChip key={filter.key} {...chip} names={filter.names} />
          ) : (
            <FilterChip key={filter.key} {...chip} options={filter.options} />
          );
        })}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {list.total === null ? "" : `${list.total.toLocaleString("en")} ${list.total === 1 ? one : many}`}
        </span>
        <div className="ml-auto flex items-center gap-2">
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
            columns={view.columns}
            rows={list.rows}
            idOf={(row) => idOf(facts, row)}
            hrefOf={(row) => hrefOf(facts.resource, idOf(facts, row))}
            sort={seen.sort}
            onSort={(sort) => void setSeen({ sort })}
            stale={list.isPlaceholderData}
            canWrite={facts.canWrite}
          />
          {list.hasNextPage && (
            <div className="flex items-center justify-center gap-3 border-t border-line py-2 text-xs text-faint tabular-nums">
              {list.rows.length.toLocaleString("en")} of {list.total?.toLocaleString("en")}
              <Button size="sm" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                Load more
              </Button>
            </div>
          )}
        </div>
      )}
    </div>
  );
}

function FilterBox({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || isTyping(event)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <div className="relative w-64">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-faint"
      />
      <input
        ref={box}
        type="search"
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-full rounded-md border border-edge/80 bg-raised pr-8 pl-7 text-sm hover:border-muted focus-visible:border-accent focus-visible:outline-accent [&::-webkit-search-cancel-button]:hidden"
      />
      <span className="pointer-events-none absolute top-1/2 right-1.5 -translate-y-1/2">
        <Kbd>/</Kbd>
      </span>
    </div>
  );
}

interface FilterChipProps {
  label: string;
  options: readonly SelectOption[];
  value: string | null;
  onChange: (value: string | null) => void;
}

function FilterChip({ label, options, value, onChange }: FilterChipProps) {
  return (
    <div className="flex items-center">
      <Select
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={onChange}
        options={options}
        className="h-8 w-auto gap-1 pr-1.5 pl-2.5"
      />
      {value !== null && (
        <Button variant="ghost" size="icon" aria-label={`Clear ${label}`} onClick={() => onChange(null)}>
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}

function NamesFilterChip({ names, ...rest }: Omit<FilterChipProps, "options"> & { names: Named }) {
  const options = useNames(names).map(({ value }) => ({ value, label: value }));
  return <FilterChip {...rest} options={options} />;
}

function NewLink({ href, label }: { href: string; label: string }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "n" && !isTyping(event) && !event.ctrlKey && !event.metaKey && !event.altKey)
        link.current?.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
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
