import { groupSimilarCalls, refusalInWords, splitRefused, type SimilarCalls } from "@/components/impact/impact-words";
import { cn } from "@/components/ui/cn";
import { counted } from "@/components/ui/counted";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ImpactCall, ImpactOutput } from "@/lib/contracts/decisions/impact";

/** The ways in which a change may alter the decision of a call, most harmful first. */
const EFFECTS = [
  { kind: "refused", calls: ["recent call"], effect: "would be refused", tone: "text-deny" },
  { kind: "invalid", calls: ["recent call"], effect: "would be invalid", tone: "text-deny" },
  { kind: "waiting", calls: ["recent call"], effect: "would wait for approval", tone: "text-warn" },
  { kind: "limited", calls: ["recent call"], effect: "would reach a limit", tone: "text-deny" },
  // Calls as the rules decide them now: their first answer may have been another one.
  {
    kind: "allowed",
    calls: ["call that is", "calls that are"],
    effect: "refused now would be allowed",
    tone: "text-allow",
  },
] as const;

interface ImpactCallsProps {
  calls: ImpactOutput["calls"];
  /** The sentence above, if there is one: a heading that says no more is for screen readers alone. */
  summary?: string;
}

/** Recent real calls whose decision a change would alter. */
export function ImpactCalls({ calls: found, summary }: ImpactCallsProps) {
  const calls = { ...found, ...splitRefused(found.refused) };
  return EFFECTS.filter(({ kind }) => calls[kind].length > 0).map(({ kind, calls: [one, many], effect, tone }) => {
    const title = `${counted(calls[kind].length, one, many)} ${effect}`;
    return <Calls key={kind} title={title} isSaid={summary === `${title}.`} tone={tone} calls={calls[kind]} />;
  });
}

/** Kinds of calls shown at first. */
const MAX_SHOWN = 5;

interface CallsProps {
  title: string;
  /** Whether the sentence above is the same. */
  isSaid: boolean;
  tone: string;
  calls: readonly ImpactCall[];
}

function Calls({ title, isSaid, tone, calls }: CallsProps) {
  const groups = groupSimilarCalls(calls);
  return (
    <section aria-label={title} className="border-t border-line px-3 py-2">
      <h3 className={cn("text-xs font-medium", tone, isSaid && "sr-only")}>{title}</h3>
      <CallList groups={groups.slice(0, MAX_SHOWN)} />
      {groups.length > MAX_SHOWN && (
        <details>
          <summary className="w-fit rounded text-xs text-muted hover:text-ink">
            {groups.length - MAX_SHOWN} more
          </summary>
          <CallList groups={groups.slice(MAX_SHOWN)} />
        </details>
      )}
    </section>
  );
}

function CallList({ groups }: { groups: readonly SimilarCalls[] }) {
  return (
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {groups.map(({ latest: call, count }) => (
        <li key={call.callId} className="text-xs">
          <div className="flex items-center gap-2">
            <TextLink
              href={`/admin/executions/${call.callId}`}
              target="_blank"
              className="min-w-0 truncate font-mono text-ink"
            >
              {call.toolId}
            </TextLink>
            <span className="ml-auto shrink-0 text-muted tabular-nums">
              {count > 1 && `${counted(count, "call")} · `}
              <Time at={call.at} />
            </span>
          </div>
          <p className="text-muted">
            {call.who} · {refusalInWords(call)}
          </p>
        </li>
      ))}
    </ul>
  );
}
