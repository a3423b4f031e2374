"use client";

import { ShieldCheck, X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { FindingItem } from "@/components/findings/finding-item";
import { KIND_WORDS } from "@/components/findings/finding-words";
import { useFindings } from "@/components/findings/use-findings";
import { ProblemNote } from "@/components/resource/problem-note";
import { useDebounced } from "@/components/resource/use-debounced";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import type { FindingRow, FindingsOutput } from "@/lib/resources/finding";

type Kind = FindingRow["kind"];

const KINDS = Object.keys(KIND_WORDS) as Kind[];
const ABOUT = ["policy", "group", "tool", "machine", "profile"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  kind: parseAsStringLiteral(KINDS),
  about: parseAsStringLiteral(ABOUT),
  name: parseAsString,
};

/** What is probably not meant in the configuration, by kind. */
export function FindingList() {
  const [url, setUrl] = useQueryStates(parsers, { history: "push" });
  const q = useDebounced(url.q, 200);
  const asked: Record<string, string> = {};
  if (q !== "") asked["q"] = q;
  for (const key of ["kind", "about", "name"] as const) if (url[key] !== null) asked[key] = url[key];
  const list = useFindings(asked);
  const narrowed = Object.keys(asked).length > 0;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Findings</h1>
      <div className="flex flex-wrap items-center gap-2 px-5 py-3">
        <Input
          type="search"
          aria-label="Search findings"
          placeholder="Search names and sentences…"
          value={url.q}
          onChange={({ target }) =>
            void setUrl({ q: target.value === "" ? null : target.value }, { history: "replace" })
          }
          className="w-72"
        />
        <Select<Kind | "all">
          aria-label="Kind"
          value={url.kind ?? "all"}
          onChange={(kind) => void setUrl({ kind: kind === "all" ? null : kind })}
          options={kindOptions(list.first?.counts ?? {}, url.kind)}
          className="w-64"
        />
        {url.about !== null && (
          <Badge tone="accent" className="h-7 pr-0.5 pl-2">
            <span className="max-w-60 truncate">
              {url.about}
              {url.name === null ? "" : `: ${url.name}`}
            </span>
            <Button
              size="icon"
              variant="ghost"
              aria-label={`Clear ${url.about}`}
              className="size-6"
              onClick={() => void setUrl({ about: null, name: null })}
            >
              <X aria-hidden />
            </Button>
          </Badge>
        )}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {list.first === null ? "" : `${list.first.total.toLocaleString("en")} at revision ${list.first.revision}`}
        </span>
      </div>
      {list.isError ? (
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <div className="flex flex-col gap-3 px-5 py-3">
          {["a", "b", "c", "d", "e"].map((row) => (
            <Skeleton key={row} className="h-12" />
          ))}
        </div>
      ) : list.rows.length === 0 ? (
        <Nothing narrowed={narrowed} onClear={() => void setUrl(null)} />
      ) : (
        <Found list={list} />
      )}
    </div>
  );
}

function kindOptions(counts: FindingsOutput["counts"], chosen: Kind | null) {
  const there = KINDS.filter((kind) => counts[kind] !== undefined || kind === chosen);
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return [
    { value: "all" as const, label: `Every kind (${all.toLocaleString("en")})` },
    ...there.map((kind) => ({
      value: kind,
      label: `${KIND_WORDS[kind]} (${(counts[kind] ?? 0).toLocaleString("en")})`,
    })),
  ];
}

function Found({ list }: { list: ReturnType<typeof useFindings> }) {
  const kinds = KINDS.filter((kind) => list.rows.some((row) => row.kind === kind));
  return (
    <div
      className={`min-h-0 flex-1 overflow-auto pb-8 transition-opacity ${list.isPlaceholderData ? "opacity-55" : ""}`}
      tabIndex={0}
      role="region"
      aria-label="Findings"
      aria-busy={list.isPlaceholderData || undefined}
    >
      {kinds.map((kind) => (
        <section key={kind} aria-label={KIND_WORDS[kind]}>
          <h2 className="sticky top-0 z-10 flex h-8 items-center gap-2 border-b border-line bg-canvas px-5 text-xs font-medium text-muted">
            {KIND_WORDS[kind]}
            <span className="text-faint tabular-nums">{(list.first?.counts[kind] ?? 0).toLocaleString("en")}</span>
          </h2>
          <ul>
            {list.rows
              .filter((row) => row.kind === kind)
              .map((row) => (
                <FindingItem key={row.id} finding={row} />
              ))}
          </ul>
        </section>
      ))}
      {list.hasNextPage && (
        <div className="flex items-center justify-center gap-3 border-t border-line py-2 text-xs text-faint tabular-nums">
          {list.rows.length.toLocaleString("en")} of {list.first?.total.toLocaleString("en")}
          <Button size="sm" pending={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </div>
  );
}

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed)
    return (
      <EmptyState title="No findings match" action={<Button onClick={onClear}>Clear filters</Button>}>
        Nothing that was found fits these filters.
      </EmptyState>
    );
  return (
    <EmptyState icon={<ShieldCheck aria-hidden />} title="Nothing found">
      No policy, group, tool, machine or profile looks as if it were not meant.
    </EmptyState>
  );
}
