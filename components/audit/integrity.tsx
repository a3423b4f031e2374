import { useCallSeal } from "@/components/audit/use-seals";
import { adminPath } from "@/components/resource/request";
import { useCan } from "@/components/resource/who";
import { Badge } from "@/components/ui/badge";
import { Fact } from "@/components/ui/text/facts";
import { TextLink } from "@/components/ui/text-link";

/** Whether a call's rows match their seal, and a download of the proof. */
export function Integrity({ callId }: { callId: string }) {
  const mayVerify = useCan("executions:verify");
  const { data, isError } = useCallSeal(callId, mayVerify);
  if (!mayVerify || isError) return null;
  return (
    <Fact label="Integrity">
      <span className="flex min-h-5 flex-wrap items-center gap-x-3">
        {data === undefined ? (
          <span className="text-faint">…</span>
        ) : data.is === "sealed" ? (
          <>
            <Badge tone="allow">sealed</Badge>
            <span className="text-muted">unchanged since seal {data.seal}</span>
            <a
              href={adminPath("executions", callId, "proof")}
              download={`${callId}-proof.json`}
              className="rounded-sm text-accent hover:underline"
            >
              Download proof
            </a>
          </>
        ) : data.is === "waiting" ? (
          <Badge>not sealed yet</Badge>
        ) : (
          <>
            <Badge tone="deny">differs from the seal</Badge>
            <TextLink href="/admin/executions/verify">Verify the log</TextLink>
          </>
        )}
      </span>
    </Fact>
  );
}
