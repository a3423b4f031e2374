import { useState } from "react";
import { statesOf, type TOOL_CHANGES } from "@/components/impact/impact-words";
import { cn } from "@/components/ui/cn";
import type { ImpactCaller } from "@/lib/contracts/decisions/impact";

/** Names shown at first. */
const MAX_SHOWN = 5;

type ToolChange = (typeof TOOL_CHANGES)[number];

/** The heading of the tools, which screen readers alone get where each name has a sign. */
const CHANGES: Readonly<Record<ToolChange, { text: string; sign?: string; tone: string }>> = {
  lost: { text: "Loses", sign: "−", tone: "text-deny" },
  lostInOtherStates: { text: "Loses in other states", tone: "text-deny" },
  gained: { text: "Gains", sign: "+", tone: "text-allow" },
  gainedInOtherStates: { text: "Gains in other states", tone: "text-allow" },
  approvalAdded: { text: "Calls would wait for approval", tone: "text-warn" },
  approvalRemoved: { text: "Calls would no longer wait for approval", tone: "text-warn" },
  limitsChanged: { text: "Limits change", tone: "text-muted" },
  argumentsLimited: { text: "Some arguments would be refused", tone: "text-warn" },
  argumentsChanged: { text: "Allowed arguments change", tone: "text-warn" },
};

interface ChangedToolsProps {
  caller: ImpactCaller;
  kind: ToolChange;
}

/** The tools of a caller that a change affects in one way, by name; collapsed where there are many. */
export function ChangedTools({ caller, kind }: ChangedToolsProps) {
  const [all, setAll] = useState(false);
  const { name: who, [kind]: tools } = caller;
  if (tools.count === 0) return null;
  const { text: change, sign, tone } = CHANGES[kind];
  const text = change + statesOf(kind, caller);
  const shown = all ? tools.tools : tools.tools.slice(0, MAX_SHOWN);
  const hidden = tools.count - shown.length;
  return (
    <div className={cn("text-xs", sign === undefined && "flex flex-wrap gap-x-1.5")}>
      {sign === undefined && <p className={tone}>{text}:</p>}
      <ul aria-label={`${who}: ${text}`} className="flex flex-col gap-x-4 gap-y-0.5 @lg:flex-row @lg:flex-wrap">
        {shown.map(({ toolId, name }) => (
          <li key={toolId} title={toolId} className="flex min-w-0 gap-1.5">
            <Sign sign={sign} tone={tone} />
            <span className="truncate font-mono">{name}</span>
          </li>
        ))}
        {hidden > 0 && (
          <li className="flex gap-1.5">
            <Sign sign={sign} tone={tone} />
            {all ? (
              <span className="text-muted">and {hidden.toLocaleString("en")} more</span>
            ) : (
              <button
                type="button"
                onClick={() => setAll(true)}
                aria-label={`${who}: ${text}: show all`}
                className="rounded text-muted underline decoration-dotted underline-offset-2 hover:text-ink"
              >
                {hidden.toLocaleString("en")} more
              </button>
            )}
          </li>
        )}
      </ul>
    </div>
  );
}

function Sign({ sign, tone }: { sign: string | undefined; tone: string }) {
  if (sign === undefined) return null;
  return (
    <span aria-hidden className={cn("w-2 shrink-0 text-center font-mono font-semibold", tone)}>
      {sign}
    </span>
  );
}
