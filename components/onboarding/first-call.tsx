import { curlWithList } from "@/components/agents/snippets";
import { useExampleCall, type ExampleCall } from "@/components/agents/use-example-call";
import { CodeBlock } from "@/components/docs/code-block";
import { statusInWords } from "@/components/executions/status-badge";
import { curlOf } from "@/components/executions/curl";
import { useRow } from "@/components/resource/use-row";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { isStateHeld } from "@/lib/access/model/request";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";
import type { Row } from "@/lib/resources";

interface FirstCallProps {
  agent: string;
  seen: PreviewOutput;
  /** The first allowed call. */
  call: ExecutionRow | undefined;
  latest: ExecutionRow | undefined;
}

/** The command of the first call. Where the server keeps the agent's state, it opens a session before. */
function firstCallOf(row: Row<"agents">, body: ExampleCall): string {
  const { origin } = window.location;
  return isStateHeld(row, row.machine)
    ? curlWithList({ origin, given: { kind: "variable" }, example: body, inSession: true })
    : curlOf(body, origin);
}

/** The command that makes the first call, and its result. */
export function FirstCall({ agent, seen, call, latest }: FirstCallProps) {
  const body = useExampleCall(seen.tools);
  const { data: row } = useRow("agents", agent);
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
        Set the variable to an API key of {agent}: the first start printed it, or the dialog of the new key showed it.
        Then run the call. The step turns green when Quartermaster receives the call.
      </p>
      <CodeBlock code="export QUARTERMASTER_KEY=qm_…" label="Set the key" />
      {body && row !== undefined && <CodeBlock code={firstCallOf(row, body)} label="The first call" />}
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
