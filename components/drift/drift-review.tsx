"use client";

import { ShieldCheck } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useRef, useState } from "react";
import { ApproveDialog } from "@/components/drift/approve-dialog";
import { DRIFT_COLUMNS } from "@/components/drift/drift-columns";
import { DriftDetail } from "@/components/drift/drift-detail";
import { DriftRows } from "@/components/drift/drift-rows";
import { DECISIONS, KIND_WORDS } from "@/components/drift/drift-words";
import { RejectDialog } from "@/components/drift/reject-dialog";
import { useWayTo } from "@/components/keyboard/use-way-to";
import { ExportButton } from "@/components/resource/list/export-button";
import { FilterBox } from "@/components/resource/filters/filter-box";
import { FilterChip, FilterChoice } from "@/components/resource/filters/filter-chip";
import { ListLayoutMenu } from "@/components/resource/list/list-layout-menu";
import { parseAsStated } from "@/components/resource/editor/parse-as-stated";
import { ProblemNote } from "@/components/resource/problem-note";
import { totalText } from "@/components/resource/list/total-text";
import { useDebounced } from "@/components/resource/use-debounced";
import { shownColumns, useListLayout } from "@/components/resource/list/use-list-layout";
import { usePages } from "@/components/resource/list/use-pages";
import { useSame } from "@/components/resource/use-same";
import { useSelection } from "@/components/resource/list/use-selection";
import { ViewsMenu } from "@/components/resource/list/views-menu";
import { useWho } from "@/components/resource/who";
import { GuideLink } from "@/components/shell/guide-link";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { toContent } from "@/components/ui/to-content";
import { DRIFT_KINDS, SEVERITIES } from "@/lib/resources/parts/words";
import type { DriftItem } from "@/lib/contracts/sources/drift";
import { can } from "@/lib/resources/permissions";

const STANDS = ["pending", "rejected"] as const;

const parsers = {
  q: parseAsString.withDefault(""),
  source: parseAsStated,
  kind: parseAsStringLiteral(DRIFT_KINDS),
  severity: parseAsStringLiteral(SEVERITIES),
  decision: parseAsStringLiteral(STANDS).withDefault("pending"),
  open: parseAsStated,
};

/** The differences between sources and the catalogue: a list, and both definitions of the selected tool. */
export function DriftReview() {
  const [url, setUrl] = useQueryStates(parsers, { history: "push" });
  const { role } = useWho();
  const q = useDebounced(url.q, 200);
  const { decision } = url;
  const narrowing: Readonly<Record<string, string>> = useSame({
    ...(q !== "" && { q }),
    ...(url.source !== null && { source: url.source }),
    ...(url.kind !== null && { kind: url.kind }),
    ...(url.severity !== null && { severity: url.severity }),
  });
  const asked = useSame({ ...narrowing, decision });
  const list = usePages<DriftItem>("drift", asked, { live: true });
  const [layout, setLayout] = useListLayout("drift");
  const columns = shownColumns(DRIFT_COLUMNS, layout);
  const selection = useSelection(JSON.stringify(asked));
  const bar = useRef<HTMLElement>(null);
  useWayTo("bar", () => bar.current);
  const [deciding, setDeciding] = useState<"approve" | "reject" | null>(null);
  const close = () => setDeciding(null);
  const chosen = list.rows.filter(({ id }) => selection.has(id));
  const rejectable = chosen.filter(({ kind, rejectedBy }) => DECISIONS[kind].reject !== null && rejectedBy === null);
  const shown = url.open ?? list.rows[0]?.id ?? null;
  const next = () => {
    toContent();
    void setUrl({ open: null }, { history: "replace" });
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-start gap-3 px-5 pt-4">
        <div>
          <h1 className="sr-only">Drift review</h1>
          <p className="max-w-2xl text-sm text-pretty text-muted">
            What sources say otherwise than the catalogue. A changed tool stays in quarantine until its new definition
            is approved. What profiles hold back is at <TextLink href="/admin/profiles">Profiles</TextLink>.
          </p>
        </div>
        <div className="ml-auto flex min-h-8 items-center gap-2">
          <ListLayoutMenu columns={DRIFT_COLUMNS} layout={layout} onChange={setLayout} />
          {list.rows.length > 0 && (
            <ExportButton
              list="drift"
              words={["tool to review", "tools to review"]}
              asked={asked}
              columns={columns.map(({ id }) => id)}
              rows={list.rows}
              idOf={({ id }: DriftItem) => id}
              of={list.first}
              selection={selection}
            />
          )}
          {chosen.length > 0 && can(role, "configuration:write") && (
            <span ref={bar} className="flex items-center gap-2">
              {rejectable.length > 0 && (
                <Button onClick={() => setDeciding("reject")}>Keep {rejectable.length} out of use…</Button>
              )}
              <Button variant="primary" onClick={() => setDeciding("approve")}>
                Approve {chosen.length}…
              </Button>
            </span>
          )}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 px-5 py-3">
        <FilterBox
          label="Search drift"
          placeholder="Search tools…"
          value={url.q}
          onChange={(text) => void setUrl({ q: text }, { history: "replace" })}
          className="w-56"
        />
        <ViewsMenu
          list="drift"
          query={{ ...narrowing, ...(decision !== "pending" && { decision }) }}
          layout={layout}
          onLayoutChange={setLayout}
        />
        <FilterChoice
          label="Kind"
          value={url.kind}
          onChange={(kind) => void setUrl({ kind: DRIFT_KINDS.find((known) => known === kind) ?? null })}
          options={DRIFT_KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        />
        <FilterChoice
          label="Severity"
          value={url.severity}
          onChange={(severity) => void setUrl({ severity: SEVERITIES.find((known) => known === severity) ?? null })}
          options={SEVERITIES.map((value) => ({ value, label: value }))}
        />
        <FilterChoice
          label="Decision"
          value={url.decision === "pending" ? null : url.decision}
          onChange={(value) => void setUrl({ decision: value === "rejected" ? "rejected" : null, open: null })}
          options={[{ value: "rejected", label: "Kept quarantined" }]}
        />
        {url.source !== null && (
          <FilterChip label="Source" value={url.source} onRemove={() => void setUrl({ source: null })} />
        )}
        <span aria-live="polite" className="text-xs text-faint tabular-nums">
          {list.first !== undefined && `${totalText(list.first)} to look at`}
        </span>
      </div>
      {list.error !== null ? (
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <Skeleton className="mx-5 h-48" />
      ) : list.rows.length === 0 && url.open === null ? (
        <Nothing
          narrowed={Object.keys(narrowing).length > 0 || decision !== "pending"}
          onClear={() => void setUrl(null)}
        />
      ) : (
        <div className="flex min-h-0 flex-1 border-t border-line">
          <DriftRows
            list={list}
            shown={shown}
            onShow={(open) => void setUrl({ open })}
            columns={columns}
            compact={layout.density === "compact"}
            selection={selection}
          />
          <div className="min-w-0 flex-1 overflow-auto">
            {shown !== null && <DriftDetail key={shown} id={shown} onDecided={next} />}
          </div>
        </div>
      )}
      {deciding === "approve" && <ApproveDialog rows={chosen} onClose={close} />}
      {deciding === "reject" && (
        <RejectDialog rows={rejectable} leftOut={chosen.length - rejectable.length} onClose={close} />
      )}
    </div>
  );
}

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed)
    return (
      <EmptyState title="Nothing matches" action={<Button onClick={onClear}>Clear filters</Button>}>
        Nothing in the review fits these filters.
      </EmptyState>
    );
  return (
    <EmptyState icon={<ShieldCheck aria-hidden />} title="Nothing to review">
      Every source says what was approved, as far as the last sync of each knows. See{" "}
      <TextLink href="/admin/sources">Sources</TextLink> for when that was. <GuideLink />
    </EmptyState>
  );
}
