import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { totalText } from "@/components/resource/list/total-text";
import type { Page, Total } from "@/lib/contracts/changes/list";
import type { PauseTarget } from "@/lib/resources/pause";

const HOUR_MS = 3_600_000;

/** Shows how many tools a pause hides, and how many calls its target had in the last hour. */
export function PauseReach({ target: { scope, name } }: { target: PauseTarget }) {
  // Fixed for the dialog: a new time in every render would fetch endlessly.
  const [hourAgo] = useState(() => new Date(Date.now() - HOUR_MS).toISOString());
  const filters = name === null ? {} : { [scope]: name };
  const calls = useTotal("executions", { ...filters, from: hourAgo });
  const tools = useTotal("tools", scope === "source" ? filters : {});
  return (
    <div role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">
      <p className="font-medium">Impact</p>
      <ul className="mt-1 list-disc pl-5">
        <li>
          {scope === "agent" ? (
            <>{name} gets an empty tool list, and all its calls are refused.</>
          ) : (
            <>
              {countedTotal(tools, "tool")} {tools?.total === 1 ? "disappears" : "disappear"} from every list. Calls of{" "}
              {tools?.total === 1 ? "this tool" : "these tools"} are refused.
            </>
          )}
        </li>
        <li>{countedTotal(calls, "call")} in the last hour, refused ones included.</li>
        <li>Running calls will finish.</li>
        <li className="empty:hidden">
          <WaitingCalls of={filters} meanwhile="while they are paused" />
        </li>
      </ul>
    </div>
  );
}

interface WaitingCallsProps {
  /** Whose calls: an agent's, those of a source's tools, or all. */
  of: Readonly<{ agent?: string; source?: string }>;
  /** Such as "while the agent is disabled". */
  meanwhile: string;
}

/** How many calls wait for approval, and that their approval would come to nothing; nothing when none waits. */
export function WaitingCalls({ of, meanwhile }: WaitingCallsProps) {
  const waiting = useTotal("approvals", { status: "waiting", ...of });
  if (waiting === undefined || waiting.total === 0) return null;
  const [waits, each] = waiting.total === 1 ? ["waits", "it"] : ["wait", "one"];
  return `${countedTotal(waiting, "call")} ${waits} for approval. If a person approves ${each} ${meanwhile}, Quartermaster refuses it.`;
}

/** The number of rows that match; `undefined` while it loads. */
function useTotal(
  list: "executions" | "tools" | "approvals",
  filters: Readonly<Record<string, string>>,
): Total | undefined {
  const page = useGet<Page<unknown>>(
    [list, "total", filters],
    `/api/admin/${list}?${new URLSearchParams({ ...filters, limit: "1" })}`,
  );
  return page.data;
}

function countedTotal(count: Total | undefined, noun: string): string {
  return `${count === undefined ? "…" : totalText(count)} ${noun}${count?.total === 1 ? "" : "s"}`;
}
