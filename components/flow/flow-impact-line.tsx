import { useState, type ReactNode } from "react";
import { flowImpactInWords, progressInWords } from "@/components/flow/flow-impact-words";
import { useFlowImpact } from "@/components/flow/use-flow-impact";
import { Button } from "@/components/ui/button";
import { TextLink } from "@/components/ui/text-link";
import type { FlowImpactOutput } from "@/lib/contracts/decisions/flow-impact";
import type { Input } from "@/lib/resources";

interface FlowImpactLineProps {
  /** A rule that is not stored. */
  rule: Input<"flows">;
  /** Whether the replay starts without a press. */
  isReplayed: boolean;
}

/** What a new rule would have done to logged calls, with the latest of them. */
export function FlowImpactLine({ rule, isReplayed }: FlowImpactLineProps) {
  const [pressed, press] = useState(false);
  // A stored rule may have the same name.
  const change = { resource: "flows" as const, id: null, input: { ...rule, name: "" } };
  const { data, error } = useFlowImpact(isReplayed || pressed ? change : null);
  if (!isReplayed && !pressed)
    return (
      <Button size="sm" variant="ghost" onClick={() => press(true)}>
        Replay past calls
      </Button>
    );
  if (error !== null) return <Line tone="text-deny">Past calls unknown: {error.message}</Line>;
  if (data?.kind !== "replay") return <Line>Checking past calls…</Line>;
  return <Replay output={data.replay} />;
}

function Line({ tone = "text-muted", children }: { tone?: string; children: ReactNode }) {
  return <p className={`max-w-56 text-xs text-pretty ${tone}`}>{children}</p>;
}

function Replay({ output }: { output: FlowImpactOutput }) {
  const { replay, result, days } = output;
  if (replay.state === "failed") return <Line tone="text-deny">{replay.message}</Line>;
  if (result === null) return <Line>{progressInWords(output)}</Line>;
  const { count, calls } = result.stopped;
  return (
    <div className="flex flex-col items-start gap-0.5 text-xs">
      <Line>{flowImpactInWords(result, days)}</Line>
      {count > 0 && (
        <details>
          <summary className="w-fit rounded text-muted hover:text-ink">
            {count > calls.length ? `Latest ${calls.length} calls` : "These calls"}
          </summary>
          <ul className="mt-1 flex flex-col gap-0.5">
            {calls.map(({ callId, toolId, who }) => (
              <li key={callId}>
                <TextLink href={`/admin/executions/${callId}`} className="font-mono break-all">
                  {toolId}
                </TextLink>{" "}
                <span className="text-muted">{who}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
