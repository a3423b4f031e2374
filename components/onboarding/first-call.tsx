import { useExampleCall } from "@/components/agents/use-example-call";
import { CodeBlock } from "@/components/docs/code-block";
import { statusInWords } from "@/components/executions/status-badge";
import { curlOf } from "@/components/executions/curl";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import type { PreviewOutput } from "@/lib/contracts/decisions/preview";

interface FirstCallProps {
  agent: string;
  seen: PreviewOutput;
  /** The first allowed call. */
  call: ExecutionRow | undefined;
  latest: ExecutionRow | undefined;
}

/** The command that makes the first call, and its result. */
export function FirstCall({ agent, seen, call, latest }: FirstCallProps) {
  const body = useExampleCall(seen.tools);
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
      {body && <CodeBlock code={curlOf(body, window.location.origin)} label="The first call" />}
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
