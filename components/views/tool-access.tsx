"use client";

import { useQueries } from "@tanstack/react-query";
import { request } from "@/components/resource/request";
import { useList } from "@/components/resource/use-list";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty-state";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, Td, Th } from "@/components/ui/table";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/with-code";
import type { Row } from "@/lib/resources";
import type { PreviewOutput } from "@/lib/resources/preview";

interface Caller {
  readonly kind: "persona" | "agent";
  readonly name: string;
}

/** Who sees a tool and why: the real resolver, asked for each persona and each agent. */
export function ToolAccess({ row }: { row: Row<"tools"> }) {
  const personas = useList("personas", { limit: 20 });
  const agents = useList("agents", { limit: 20 });
  const callers: Caller[] = [
    ...personas.rows.map(({ name }) => ({ kind: "persona" as const, name })),
    ...agents.rows.map(({ name }) => ({ kind: "agent" as const, name })),
  ];
  const answers = useQueries({
    queries: callers.map((caller) => ({
      queryKey: ["preview", "access", row.id, caller],
      queryFn: () =>
        request<PreviewOutput>("/api/admin/preview", {
          method: "POST",
          body: { [caller.kind]: caller.name, explain: [row.id] },
        }),
    })),
  });
  if (personas.isPending || agents.isPending) return <Skeleton className="h-40" />;
  if (callers.length === 0)
    return (
      <EmptyState title="Nobody to ask for yet">
        Add a persona or an agent: this tab shows whether each of them sees the tool, and why.
      </EmptyState>
    );
  return (
    <Table label={`Who sees ${row.id}`}>
      <thead>
        <tr>
          <Th>Caller</Th>
          <Th>Answer</Th>
          <Th className="w-full">Why</Th>
        </tr>
      </thead>
      <tbody>
        {callers.map((caller, index) => {
          const answer = answers[index];
          return (
            <tr key={`${caller.kind} ${caller.name}`}>
              <Td className="whitespace-nowrap">
                <TextLink
                  href={`/admin/${caller.kind === "persona" ? "personas" : "agents"}/${encodeURIComponent(caller.name)}`}
                  className="text-ink"
                >
                  {caller.name}
                </TextLink>{" "}
                <span className="text-faint">{caller.kind}</span>
              </Td>
              <Answer data={answer?.data} error={answer?.error ?? null} tool={row.id} />
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}

function Answer({ data, error, tool }: { data: PreviewOutput | undefined; error: Error | null; tool: string }) {
  if (error !== null) return <Td colSpan={2}>{error.message}</Td>;
  const explanation = data?.explanations?.[tool];
  if (explanation === undefined)
    return (
      <Td colSpan={2}>
        <Skeleton className="w-48" />
      </Td>
    );
  const { visible, callable, via, fix, steps } = explanation;
  const conditional = data?.tools.some((one) => one.toolId === tool && one.conditional) === true;
  const why = visible
    ? via.map(({ group, policies }) => `\`${policies.join("`, `")}\` → \`${group}\``).join("; ") +
      (conditional ? ", for some arguments only" : "")
    : [
        steps.find((step) => !step.passed)?.detail,
        fix === null ? undefined : `To show it: ${fix.changes.map((change) => change.text).join("; ")}.`,
      ]
        .filter((text) => text !== undefined)
        .join(" ");
  return (
    <>
      <Td>
        <Badge tone={visible ? (callable ? "allow" : "warn") : "deny"}>
          {visible ? (callable ? "visible" : "not callable") : "hidden"}
        </Badge>
      </Td>
      <Td className="text-muted">
        <WithCode text={why} />
      </Td>
    </>
  );
}
