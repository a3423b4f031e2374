import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { useGet } from "@/components/resource/use-get";
import { counted } from "@/components/ui/counted";
import { TextLink } from "@/components/ui/text-link";
import { Time } from "@/components/ui/time";
import type { Observations } from "@/lib/contracts/decisions/observations";

interface ObservedNoteProps {
  kind: "policy" | "flow";
  rule: string;
}

/** The calls and tools that an observed rule would have changed since its last edit. */
export function ObservedNote({ kind, rule }: ObservedNoteProps) {
  const query = { kind, rule };
  const { data } = useGet<Observations>(
    ["observations", query],
    `/api/admin/observations?${new URLSearchParams(query)}`,
    NOTICE_QUERY,
  );
  if (data === undefined || !data.observed) return null;
  const { shown, hidden, items } = data;
  return (
    <section aria-label="What this rule would change" className="mx-5 mt-3 rounded-md bg-sunken px-3 py-2 text-sm">
      <p>
        Observed: this rule has no effect yet. Since <Time at={data.since} exact />, {sentenceOf(data)}
      </p>
      {items.length > 0 && (
        <details className="mt-1">
          <summary className="cursor-pointer text-muted">{items.length === 50 ? "Latest 50 calls" : "Calls"}</summary>
          <ul>
            {items.map(({ callId, toolId, caller, change, at }) => (
              <li key={callId} className="flex flex-wrap gap-x-2">
                <TextLink href={`/admin/executions/${encodeURIComponent(callId)}`} className="font-mono text-xs">
                  {toolId}
                </TextLink>
                <span>by {caller}:</span>
                <span>{CHANGES[change]}</span>
                <Time at={at} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {[shown, hidden].map(
        (lists) =>
          lists.items.length > 0 && (
            <details key={lists === shown ? "shown" : "hidden"} className="mt-1">
              <summary className="cursor-pointer text-muted">
                Tools it would {lists === shown ? "show" : "hide"}
              </summary>
              <ul>
                {lists.items.map(({ toolId, callers }) => (
                  <li key={toolId}>
                    <TextLink href={`/admin/tools/${encodeURIComponent(toolId)}`} className="font-mono text-xs">
                      {toolId}
                    </TextLink>{" "}
                    for {counted(callers, "caller")}
                  </li>
                ))}
              </ul>
            </details>
          ),
      )}
    </section>
  );
}

/** How the rule would have changed the decision of a call. */
const CHANGES = {
  refused: "would be refused",
  allowed: "would be allowed",
  asked: "would wait for approval",
  reason: "would be refused for another reason",
} as const;

/** The end of the sentence about the changes, from "it would have". */
function sentenceOf({ calls, refused, allowed, asked, shown, hidden }: Observations): string {
  const number = (of: number) => of.toLocaleString("en");
  const parts = [
    `refused ${number(refused)} of ${counted(calls, "call")}`,
    ...(allowed > 0 ? [`allowed ${counted(allowed, "refused call")}`] : []),
    ...(asked > 0 ? [`sent ${counted(asked, "call")} to a person for approval`] : []),
    ...(shown.tools > 0 ? [`shown ${counted(shown.tools, "tool")} to ${counted(shown.callers, "caller")}`] : []),
    ...(hidden.tools > 0 ? [`hidden ${counted(hidden.tools, "tool")} from ${counted(hidden.callers, "caller")}`] : []),
  ];
  const last = parts.at(-1) ?? "";
  return `it would have ${parts.length === 1 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`}.`;
}
