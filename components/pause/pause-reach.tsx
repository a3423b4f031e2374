import { useState } from "react";
import { useGet } from "@/components/resource/use-get";
import { totalText } from "@/components/resource/list/total-text";
import type { Page, Total } from "@/lib/contracts/changes/list";
import type { PauseTarget } from "@/lib/resources/pause";

const HOUR = 3_600_000;

/** The tools that a pause hides, and the calls of the last hour. */
export function PauseReach({ target: { scope, name } }: { target: PauseTarget }) {
  // Fixed per dialog: a range that changes with every render would refetch for ever.
  const [hourAgo] = useState(() => new Date(Date.now() - HOUR).toISOString());
  const of = name === null ? {} : { [scope]: name };
  const calls = useTotal("executions", { ...of, from: hourAgo });
  const tools = useTotal("tools", scope === "source" ? of : {});
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
      </ul>
    </div>
  );
}

/** How many rows of a list match; `undefined` until that is known. */
function useTotal(list: "executions" | "tools", filters: Readonly<Record<string, string>>): Total | undefined {
  const page = useGet<Page<unknown>>(
    [list, "total", filters],
    `/api/admin/${list}?${new URLSearchParams({ ...filters, limit: "1" })}`,
  );
  return page.data;
}

function countedTotal(count: Total | undefined, word: string): string {
  return `${count === undefined ? "…" : totalText(count)} ${word}${count?.total === 1 ? "" : "s"}`;
}
