"use client";

import { groupSimilarCalls, refusalInWords, type LikeCalls } from "@/components/impact/impact-words";
import { counted } from "@/components/ui/counted";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { ImpactCall, ImpactOutput } from "@/lib/contracts/decisions/impact";

/** Recent real calls whose decision a change would alter. */
export function ImpactCalls({ calls: { refused, allowed, waiting, limited } }: { calls: ImpactOutput["calls"] }) {
  return (
    <>
      {refused.length > 0 && (
        <Calls title={`${counted(refused.length, "recent call")} would be refused`} tone="text-deny" calls={refused} />
      )}
      {waiting.length > 0 && (
        <Calls
          title={`${counted(waiting.length, "recent call")} would wait for approval`}
          tone="text-warn"
          calls={waiting}
        />
      )}
      {limited.length > 0 && (
        <Calls
          title={`${counted(limited.length, "recent call")} would reach a limit`}
          tone="text-deny"
          calls={limited}
        />
      )}
      {allowed.length > 0 && (
        <Calls
          title={`${counted(allowed.length, "refused call")} would be allowed`}
          tone="text-allow"
          calls={allowed}
        />
      )}
    </>
  );
}

/** Kinds of calls shown at first. */
const MAX_SHOWN = 5;

function Calls({ title, tone, calls }: { title: string; tone: string; calls: readonly ImpactCall[] }) {
  const kinds = groupSimilarCalls(calls);
  return (
    <section aria-label={title} className="border-t border-line px-3 py-2">
      <h3 className={`text-xs font-medium ${tone}`}>{title}</h3>
      <CallList kinds={kinds.slice(0, MAX_SHOWN)} />
      {kinds.length > MAX_SHOWN && (
        <details>
          <summary className="w-fit rounded text-xs text-muted hover:text-ink">{kinds.length - MAX_SHOWN} more</summary>
          <CallList kinds={kinds.slice(MAX_SHOWN)} />
        </details>
      )}
    </section>
  );
}

function CallList({ kinds }: { kinds: readonly LikeCalls[] }) {
  return (
    <ul className="mt-1.5 flex flex-col gap-1.5">
      {kinds.map(({ latest: call, count }) => (
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
