import { RuledReason } from "@/components/executions/logged-reason";
import { StatusBadge } from "@/components/executions/status-badge";
import { useLatestCalls } from "@/components/executions/use-latest-calls";
import { ProblemNote } from "@/components/resource/problem-note";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Headers, Table, Td } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Row } from "@/lib/resources";

const SHOWN = 20;

export function ToolActivity({ row: { id } }: { row: Row<"tools"> }) {
  const calls = useLatestCalls({ tool: id }, SHOWN);
  if (calls.isLoadingError) return <ProblemNote error={calls.error} onRetry={() => void calls.refetch()} />;
  if (calls.isPending) return <Skeleton className="h-32" />;
  const { items, total } = calls.data;
  if (items.length === 0)
    return <EmptyState title="No calls yet">Calls of this tool, allowed or refused, appear here.</EmptyState>;
  return (
    <div className="flex flex-col gap-3">
      <Table label={`Calls of ${id}`} stacks>
        <Headers of={["When", "Outcome", "Caller", ["Reason", "w-full"], ["Revision", "text-right"], "Call"]} />
        <tbody>
          {items.map((call) => (
            <tr key={call.callId}>
              <Td data-short className="whitespace-nowrap">
                <Time at={call.at} />
              </Td>
              <Td data-short>
                <StatusBadge status={call.status} />
              </Td>
              <Td data-label="Caller" className="truncate">
                {call.agent ?? call.subject}
              </Td>
              <Td className="text-muted">
                <RuledReason call={call} />
              </Td>
              <Td data-label="Revision" className="text-right tabular-nums">
                {call.revision}
              </Td>
              <Td data-label="Call" className="truncate">
                <TextLink href={`/admin/executions/${encodeURIComponent(call.callId)}`} className="font-mono text-xs">
                  {call.callId}
                </TextLink>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      <TextLink href={`/admin/executions?${new URLSearchParams({ tool: id })}`} className="text-sm">
        {total > SHOWN ? `All ${total.toLocaleString("en")} in the log` : "Open in the log"}
      </TextLink>
    </div>
  );
}
