import { useState } from "react";
import { ProblemNote } from "@/components/resource/problem-note";
import { useDebounced } from "@/components/resource/use-debounced";
import { useRightsizing, useWindow, WINDOW_CHOICES, type Window } from "@/components/rightsizing/use-rightsizing";
import { DEMO_COUNTS } from "@/components/rightsizing/use-note";
import { EmptyState } from "@/components/ui/empty-state";
import { Input } from "@/components/ui/forms/input";
import { Segmented } from "@/components/ui/forms/segmented";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import type { RightsizingPage } from "@/lib/contracts/decisions/rightsizing";

const RIGHT = "text-right";

/** Allow policies by the unused tools that they grant, the most tokens first. */
export function RightsizingScreen() {
  const [days, setDays] = useWindow();
  const [text, setText] = useState("");
  const q = useDebounced(text, 200);
  const found = useRightsizing({ days, limit: "200", ...(q !== "" && { q }) });
  return (
    <div className="flex flex-col gap-4 p-5">
      <h1 className="sr-only">Rightsizing</h1>
      <div className="flex flex-wrap items-center gap-2">
        <Segmented label="Period" value={days} onChange={(value) => void setDays(value)} options={WINDOW_CHOICES} />
        <Input
          aria-label="Filter policies by name"
          placeholder="Filter by name"
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-w-64"
        />
      </div>
      {found.isError && found.data === undefined ? (
        <ProblemNote error={found.error} onRetry={() => void found.refetch()} />
      ) : found.data === undefined ? (
        <Skeleton className="h-64 rounded-lg" />
      ) : (
        <Policies page={found.data} days={days} q={q} />
      )}
    </div>
  );
}

function Policies({ page, days, q }: { page: RightsizingPage; days: Window; q: string }) {
  if (page.items.length === 0 && page.since !== null && q !== "")
    return <EmptyState title="No policies found">No policy with counted calls has “{q}” in its name.</EmptyState>;
  if (page.items.length === 0)
    return (
      <EmptyState title="No calls counted yet">
        Policies appear here when agents have called tools through them. A call is counted some seconds after it ends.
      </EmptyState>
    );
  return (
    <>
      <Table label="Policies" stacks>
        <Headers
          of={[
            "Policy",
            ["Callers", RIGHT],
            ["Tools granted", RIGHT],
            ["Tools used", RIGHT],
            ["Tools unused", RIGHT],
            ["Tokens of unused tools", RIGHT],
          ]}
        />
        <tbody>
          {page.items.map((row) => (
            <tr key={row.policy}>
              <Td>
                <TextLink href={`/admin/rightsizing/${encodeURIComponent(row.policy)}?days=${days}`}>
                  {row.policy}
                </TextLink>
              </Td>
              <Count label="Callers" value={row.callers} />
              <Count label="Tools granted" value={row.granted} />
              <Count label="Tools used" value={row.used} />
              {row.changed ? (
                <Td data-label="Tools unused" className="text-right text-muted">
                  not known: policy changed
                </Td>
              ) : (
                <Count label="Tools unused" value={row.unused} />
              )}
              {row.changed ? (
                <Td data-label="Tokens" className="text-right text-muted">
                  not known
                </Td>
              ) : (
                <Count label="Tokens" value={row.tokens} />
              )}
            </tr>
          ))}
        </tbody>
      </Table>
      {page.since !== null && (
        <p className="text-xs text-muted">
          Calls have been counted since {page.since}. {page.demo && `${DEMO_COUNTS} `}
          {page.total > page.items.length && "Filter by name to see other policies."}
        </p>
      )}
    </>
  );
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <Td data-label={label} data-short className="text-right tabular-nums">
      {value.toLocaleString("en")}
    </Td>
  );
}
