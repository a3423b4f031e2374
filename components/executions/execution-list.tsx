"use client";

import { RefreshCw } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { ExecutionFilters, useExecutionFilters } from "@/components/executions/execution-filters";
import { StatusBadge } from "@/components/executions/status-badge";
import { useExecutions } from "@/components/executions/use-executions";
import { LoadMore } from "@/components/resource/load-more";
import { LookMenu } from "@/components/resource/look-menu";
import { ProblemNote } from "@/components/resource/problem-note";
import { ResourceTable } from "@/components/resource/resource-table";
import { shownColumns, useLook } from "@/components/resource/use-look";
import type { Column } from "@/components/resource/view";
import { ViewsMenu } from "@/components/resource/views-menu";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { ExecutionRow } from "@/lib/resources/execution";

const Peek = lazy(async () => ({ default: (await import("@/components/executions/execution-peek")).ExecutionPeek }));

const COLUMNS: readonly Column<ExecutionRow>[] = [
  { id: "tool", header: "Tool", cell: (row) => <span className="font-mono text-xs">{row.toolId ?? row.asked}</span> },
  { id: "status", header: "Outcome", cell: (row) => <StatusBadge status={row.status} /> },
  {
    id: "reason",
    header: "Reason",
    cell: (row) => (
      <span className="line-clamp-1 max-w-72 text-muted" title={row.reason ?? undefined}>
        {row.reason ?? row.code ?? "—"}
      </span>
    ),
  },
  {
    id: "caller",
    header: "Caller",
    cell: (row) => <span className="line-clamp-1 max-w-56">{row.agent ?? row.subject}</span>,
  },
  {
    id: "state",
    header: "State",
    className: "max-lg:hidden",
    cell: (row) => (
      <span className="text-muted">
        {row.stateAfter === null || row.stateAfter === row.stateBefore
          ? (row.stateBefore ?? "—")
          : `${row.stateBefore} → ${row.stateAfter}`}
      </span>
    ),
  },
  { id: "ms", header: "Time taken", className: "text-right max-lg:hidden", cell: (row) => <Taken row={row} /> },
  {
    id: "at",
    header: "When",
    className: "text-right",
    cell: (row) => (
      <span className="relative z-1">
        <Time at={row.at} />
      </span>
    ),
  },
];

/** The execution log, newest first. */
export function ExecutionList() {
  // One "now" per visit: a range that moved with every render would ask for ever.
  const [now, setNow] = useState(() => Date.now());
  const filters = useExecutionFilters(now);
  const [look, setLook] = useLook("executions");
  const list = useExecutions(filters.asked);
  const { url, setUrl } = filters;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex items-start">
        <h1 className="sr-only">Executions</h1>
        <ExecutionFilters
          filters={filters}
          total={list.total}
          views={<ViewsMenu list="executions" query={filters.query} look={look} onLook={setLook} />}
        />
        <div className="mt-3.5 mr-5 ml-auto flex">
          <LookMenu columns={COLUMNS} look={look} onChange={setLook} />
          <Button
            variant="ghost"
            aria-label="Refresh"
            size="icon"
            onClick={() => {
              setNow(Date.now());
              void list.refetch();
            }}
          >
            <RefreshCw aria-hidden />
          </Button>
        </div>
      </div>
      {list.isError ? (
        <ProblemNote error={list.error} onRetry={() => void list.refetch()} />
      ) : list.isPending ? (
        <div className="flex flex-col gap-3 px-5 py-3">
          {["a", "b", "c", "d", "e", "f"].map((row) => (
            <Skeleton key={row} className="h-6" />
          ))}
        </div>
      ) : list.rows.length === 0 ? (
        <Nothing narrowed={filters.narrowed} onClear={filters.clear} />
      ) : (
        <div className="flex min-h-0 flex-1 flex-col">
          <ResourceTable
            label="Executions"
            columns={shownColumns(COLUMNS, look)}
            rows={list.rows}
            idOf={(row) => row.callId}
            hrefOf={(row) => `/admin/executions/${row.callId}`}
            sort="-at"
            onSort={() => {}}
            stale={list.isPlaceholderData}
            canWrite={false}
            compact={look.density === "compact"}
            peeking={{
              peeked: url.peek,
              onPeek: (peek) => void setUrl({ peek }, { history: url.peek === null ? "push" : "replace" }),
            }}
          />
          <LoadMore pages={list} shown={list.rows.length} total={list.total} />
        </div>
      )}
      {url.peek !== null && (
        <Suspense>
          <Peek callId={url.peek} onClose={() => void setUrl({ peek: null })} />
        </Suspense>
      )}
    </div>
  );
}

function Taken({ row }: { row: ExecutionRow }) {
  if (row.gatewayMs === null) return <span className="text-faint">—</span>;
  return (
    <span className="tabular-nums">{Math.round(row.gatewayMs + (row.upstreamMs ?? 0)).toLocaleString("en")} ms</span>
  );
}

function Nothing({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (narrowed)
    return (
      <EmptyState title="No calls match" action={<Button onClick={onClear}>Clear filters</Button>}>
        Nothing in the log fits these filters.
      </EmptyState>
    );
  return (
    <EmptyState title="No calls yet">
      Every call an agent makes, allowed or refused, is written here before it reaches its tool. The start prints a curl
      line that makes one.
    </EmptyState>
  );
}
