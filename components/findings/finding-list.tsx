"use client";

import { ShieldCheck } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef } from "react";
import { FINDING_PARTS, FindingItem } from "@/components/findings/finding-item";
import { KIND_WORDS } from "@/components/findings/finding-words";
import { useFindings } from "@/components/findings/use-findings";
import { useRowKeys } from "@/components/keyboard/use-row-keys";
import { ExportButton } from "@/components/resource/list/export-button";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { FilterChip, FilterChoice } from "@/components/resource/filters/filter-chip";
import { LoadMore } from "@/components/resource/list/load-more";
import { ListLayoutMenu } from "@/components/resource/list/list-layout-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { useDebounced } from "@/components/resource/use-debounced";
import { shownColumns, useListLayout } from "@/components/resource/list/use-list-layout";
import { useSelection } from "@/components/resource/list/use-selection";
import type { Column } from "@/components/resource/view";
import { ViewsMenu } from "@/components/resource/list/views-menu";
import { GuideLink } from "@/components/shell/guide-link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { FindingRow, FindingsOutput } from "@/lib/contracts/decisions/finding";

type Kind = FindingRow["kind"];

const KINDS = Object.keys(KIND_WORDS) as Kind[];
const ABOUT = ["policy", "group", "tool", "machine", "profile", "agent"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  kind: parseAsStringLiteral(KINDS),
  about: parseAsStringLiteral(ABOUT),
  name: parseAsString,
};

/** The findings in the configuration, by kind. */
export function FindingList() {
  const [url, setUrl] = useQueryStates(parsers, { history: "push" });
  const [layout, setLayout] = useListLayout("findings");
  const q = useDebounced(url.q, 200);
  const asked: Record<string, string> = {};
  if (q !== "") asked["q"] = q;
  for (const key of ["kind", "about", "name"] as const) if (url[key] !== null) asked[key] = url[key];
  const list = useFindings(asked);
  const parts = shownColumns(FINDING_PARTS, layout);
  const selection = useSelection(JSON.stringify(asked));
  const narrowed = Object.keys(asked).length > 0;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">Findings</h1>
      <div className="flex flex-wrap items-center gap-2 px-5 py-3">
        <FilterBox
          label="Search findings"
          placeholder="Search names and sentences…"
          value={url.q}
          onChange={(text) => void setUrl({ q: text }, { history: "replace" })}
          className="w-72"
        />
        <ViewsMenu
          list="findings"
          query={{
            ...(url.q !== "" && { q: url.q }),
            ...(url.kind !== null && { kind: url.kind }),
            ...(url.about !== null && { about: url.about }),
            ...(url.name !== null && { name: url.name }),
          }}
          layout={layout}
          onLayoutChange={setLayout}
        />
        <FilterChoice
          label="Kind"
          value={url.kind}
          onChange={(kind) => void setUrl({ kind: KINDS.find((known) => known === kind) ?? null })}
          options={kindOptions(list.first?.counts ?? {}, url.kind)}
        />
        {url.about !== null && (
          <FilterChip
            label={url.about}
            value={url.name ?? "any"}
            onRemove={() => void setUrl({ about: null, name: null })}
          />
        )}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {list.first === null ? "" : `${list.first.total.toLocaleString("en")} at revision ${list.first.revision}`}
        </span>
        <span className="ml-auto flex items-center gap-2">
          <ListLayoutMenu columns={FINDING_PARTS} layout={layout} onChange={setLayout} />
          {list.first !== null && list.rows.length > 0 && (
            <ExportButton
              list="findings"
              words={["finding", "findings"]}
              asked={asked}
              columns={parts.flatMap<string>(({ id, fields }) => fields ?? [id])}
              rows={list.rows}
              idOf={({ id }: FindingRow) => id}
              of={list.first}
              selection={selection}
            />
          )}
        </span>
      </div>
      {list.isLoadingError ? (
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
        <Found list={list} parts={parts} compact={layout.density === "compact"} />
      )}
    </div>
  );
}

function kindOptions(counts: FindingsOutput["counts"], chosen: Kind | null) {
  const there = KINDS.filter((kind) => counts[kind] !== undefined || kind === chosen);
  return there.map((kind) => ({
    value: kind,
    label: `${KIND_WORDS[kind]} (${(counts[kind] ?? 0).toLocaleString("en")})`,
  }));
}

interface FoundProps {
  list: ReturnType<typeof useFindings>;
  parts: readonly Column<FindingRow>[];
  compact: boolean;
}

function Found({ list, parts, compact }: FoundProps) {
  const frame = useRef<HTMLDivElement>(null);
  useRowKeys(frame);
  const notes = list.rows.filter(({ severity }) => severity === "info");
  const rest = list.rows.filter(({ severity }) => severity !== "info");
  return (
    <div
      ref={frame}
      className={`min-h-0 flex-1 overflow-auto pb-8 transition-opacity ${list.isPlaceholderData ? "opacity-55" : ""}`}
      tabIndex={0}
      role="region"
      aria-label="Findings"
      aria-busy={list.isPlaceholderData || undefined}
    >
      <Kinds rows={rest} parts={parts} compact={compact} />
      {notes.length > 0 && (
        // Notes are harmless: alone they are what a person looks for, beside others they fold away.
        <details open={rest.length === 0} className="border-b border-line">
          <summary className="flex h-9 cursor-pointer items-center gap-2 px-5 text-sm font-medium text-muted">
            Notes <span className="text-xs text-faint tabular-nums">{notes.length.toLocaleString("en")}</span>
          </summary>
          <Kinds rows={notes} parts={parts} compact={compact} />
        </details>
      )}
      <LoadMore pages={list} shown={list.rows.length} of={list.first} />
    </div>
  );
}

interface KindsProps {
  rows: readonly FindingRow[];
  parts: readonly Column<FindingRow>[];
  compact: boolean;
}

/** Findings under the headings of their kinds. */
function Kinds({ rows, parts, compact }: KindsProps) {
  const of = (kind: Kind) => rows.filter((row) => row.kind === kind);
  return KINDS.filter((kind) => of(kind).length > 0).map((kind) => (
    <section key={kind} aria-label={KIND_WORDS[kind]}>
      <h2 className="sticky top-0 z-10 flex h-8 items-center gap-2 border-b border-line bg-canvas px-5 text-xs font-medium text-muted">
        {KIND_WORDS[kind]}
        <span className="text-faint tabular-nums">{of(kind).length.toLocaleString("en")}</span>
      </h2>
      <ul>
        {of(kind).map((row) => (
          <FindingItem key={row.id} finding={row} parts={parts} compact={compact} />
        ))}
      </ul>
    </section>
  ));
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
      No policy, group, tool, machine or profile looks as if it were not meant. <GuideLink />
    </EmptyState>
  );
}
