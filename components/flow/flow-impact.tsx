import { flowImpactInWords, progressInWords } from "@/components/flow/flow-impact-words";
import { useFlowImpact, type FlowDraft } from "@/components/flow/use-flow-impact";
import { cn } from "@/components/ui/cn";
import { counted } from "@/components/ui/counted";
import { WithCode } from "@/components/ui/json/with-code";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import { ToolId } from "@/components/ui/tool-id";
import type { FlowImpactCall, FlowImpactOutput, FlowImpactResult } from "@/lib/contracts/decisions/flow-impact";

interface FlowImpactProps {
  change: FlowDraft | null;
  /** What the replay assumes about the draft. */
  note?: string;
  /** Shown before the first change. */
  unchanged?: string;
}

/** What a replay of a rule assumes. */
export const REPLAY_NOTE =
  "Decides past calls again as if the rule were active and enforced, beginning without labels.";
/** What a replay of guesses or answers assumes. */
export const GUESS_NOTE = "Decides past calls again under the active, enforced flow rules, beginning without labels.";

/** What a draft would have done to logged calls, with these calls. */
export function FlowImpact({ change, note, unchanged }: FlowImpactProps) {
  const { data, error, isError, isFetching, isPlaceholderData } = useFlowImpact(change);
  return (
    <section aria-label="Past calls" aria-busy={isFetching} className="rounded-lg border border-line bg-panel">
      <h2 className="border-b border-line px-3 py-2 text-sm font-semibold">Past calls</h2>
      {change === null ? (
        <p className="px-3 py-3 text-xs text-pretty text-muted">{unchanged}</p>
      ) : isError ? (
        <WithCode as="p" role="alert" className="px-3 py-3 text-xs text-deny" text={error.message} />
      ) : data === undefined ? (
        <Skeleton className="m-3 h-16" />
      ) : data.kind === "incomplete" ? (
        <div className="px-3 py-3 text-xs text-pretty text-muted">
          <p>To replay past calls, complete the draft:</p>
          <ul className="mt-1 list-disc pl-4">
            {data.missing.map((text) => (
              <WithCode as="li" key={text} text={text} />
            ))}
          </ul>
        </div>
      ) : (
        <div className={cn("transition-opacity", isPlaceholderData && "opacity-55")}>
          <Replay output={data.replay} note={note} />
        </div>
      )}
    </section>
  );
}

function Replay({ output, note }: { output: FlowImpactOutput; note: string | undefined }) {
  const { replay, result, days } = output;
  if (replay.state === "failed")
    return (
      <p role="alert" className="px-3 py-3 text-xs text-deny">
        {replay.message}
      </p>
    );
  if (result === null) return <p className="px-3 py-3 text-xs text-muted">{progressInWords(output)}</p>;
  const { stopped, waiting, allowed, since, more, unknownTools } = result;
  const isPartial = more && since !== null;
  return (
    <>
      <p aria-live="polite" className="px-3 py-2 text-xs font-medium text-pretty">
        {flowImpactInWords(result, days)}
      </p>
      <Calls title="Would be stopped" tone="text-deny" of={stopped} />
      <Calls title="Would wait for approval" tone="text-warn" of={waiting} />
      <Calls title="Would no longer be stopped" tone="text-allow" of={allowed} />
      {(note !== undefined || isPartial || unknownTools > 0) && (
        <div className="flex flex-col gap-1.5 border-t border-line px-3 py-2 text-xs text-pretty text-muted">
          {note !== undefined && <p>{note}</p>}
          {isPartial && (
            <p>
              Only the latest calls were replayed, since <Time at={since} />.
            </p>
          )}
          {unknownTools > 0 && (
            <p>{counted(unknownTools, "call")} of deleted tools: flow rules do not restrict them.</p>
          )}
        </div>
      )}
    </>
  );
}

/** Calls shown at first. */
const MAX_SHOWN = 5;

function Calls({
  title,
  tone,
  of: { count, calls },
}: {
  title: string;
  tone: string;
  of: FlowImpactResult["stopped"];
}) {
  if (count === 0) return null;
  const rest = calls.slice(MAX_SHOWN);
  return (
    <section aria-label={title} className="border-t border-line px-3 py-2">
      <h3 className={cn("text-xs font-medium", tone)}>
        {title}: {counted(count, "call")}
      </h3>
      <CallList calls={calls.slice(0, MAX_SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary className="mt-1.5 w-fit rounded text-xs text-muted hover:text-ink">
            {count > calls.length ? `Latest ${calls.length} calls` : `${rest.length} more`}
          </summary>
          <CallList calls={rest} />
        </details>
      )}
    </section>
  );
}

function CallList({ calls }: { calls: readonly FlowImpactCall[] }) {
  return (
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {calls.map(({ callId, toolId, at, who, rules, raisedBy }) => (
        <li key={callId} className="text-xs">
          <div className="flex items-center gap-2">
            <TextLink
              href={`/admin/executions/${callId}`}
              target="_blank"
              className="min-w-0 truncate font-mono text-ink"
            >
              {toolId}
            </TextLink>
            <span className="ml-auto shrink-0 text-muted">
              <Time at={at} />
            </span>
          </div>
          <p className="text-pretty text-muted">
            {who} · {rules.join(", ")}
            {raisedBy.map(({ label, callId: raiser, toolId: by }) => (
              <span key={label}>
                {" "}
                · {label} by{" "}
                <TextLink href={`/admin/executions/${raiser}`} target="_blank">
                  <ToolId id={by} />
                </TextLink>
              </span>
            ))}
          </p>
        </li>
      ))}
    </ul>
  );
}
