"use client";

import { useQuery } from "@tanstack/react-query";
import { CodeBlock } from "@/components/docs/code-block";
import { exampleOf } from "@/components/docs/example";
import { statusInWords } from "@/components/executions/status-badge";
import { curlOf } from "@/components/executions/curl";
import { request } from "@/components/resource/request";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { OpenApiDocument, Schema } from "@/lib/contracts/operations/open-api";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { ToolRow } from "@/lib/resources/tool";

/** A tool that needs nothing and changes nothing, with arguments that are understood at once. */
const PLAIN = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

/** A tool's schema contains everything that it refers to. */
const ALONE = { components: { schemas: {} } } as OpenApiDocument;

interface FirstCallProps {
  seen: PreviewOutput;
  /** The first that was allowed. */
  call: ExecutionRow | undefined;
  latest: ExecutionRow | undefined;
}

/** The command that makes the first call, and what came of it. */
export function FirstCall({ seen, call, latest }: FirstCallProps) {
  const body = useExample(seen);
  if (call !== undefined)
    return (
      <p role="status">
        <TextLink href={`/admin/executions/${call.callId}`}>{call.toolId ?? call.asked}</TextLink> was called and
        allowed, <Time at={call.at} />. The log says why.
      </p>
    );
  return (
    <div className="flex flex-col gap-2">
      <p>
        Set the key in the environment, then run the call. The step turns green when Quartermaster receives the call.
      </p>
      <CodeBlock code="export QUARTERMASTER_KEY=qm_…" label="Set the key" />
      {body !== null && <CodeBlock code={curlOf(body, window.location.origin)} label="The first call" />}
      <p role="status">
        {latest === undefined ? (
          "Waiting for a call…"
        ) : (
          <>
            The last call ended as <strong className="font-medium text-ink">{statusInWords(latest.status)}</strong>
            {latest.code !== null && <> ({latest.code})</>}:{" "}
            <TextLink href={`/admin/executions/${latest.callId}`}>see why</TextLink>.
          </>
        )}
      </p>
    </div>
  );
}

/** The simplest call of a tool that the agent gets; `null` until it is known. */
function useExample({ tools }: PreviewOutput): object | null {
  const callable = tools.filter((tool) => tool.callable);
  const isPlain = callable.some(({ toolId }) => toolId === PLAIN.tool_id);
  const id = isPlain ? undefined : callable[0]?.toolId;
  const tool = useQuery({
    queryKey: ["tools", "row", id],
    queryFn: ({ signal }) => request<ToolRow>(`/api/admin/tools/${encodeURIComponent(id ?? "")}`, { signal }),
    enabled: id !== undefined,
  });
  if (isPlain) return PLAIN;
  if (tool.data === undefined) return null;
  return { tool_id: tool.data.id, arguments: exampleOf(tool.data.inputSchema as Schema, ALONE) };
}
