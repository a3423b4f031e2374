import { counted } from "@/components/ui/counted";
import { lowerFirst, upperFirst } from "@/components/ui/text/letter-case";
import { REASON_WORDS } from "@/lib/contracts/decisions/reason-words";
import type { ExecutionRow } from "@/lib/contracts/log/execution";
import { isRefusedAttempts } from "@/lib/contracts/log/refused-attempts";

/** What a search of calls compares. */
export const SEARCH_NOTE =
  "A search compares parts of the names of tools and agents, and whole subjects and ids of calls, traces and sessions. It does not search arguments or claims.";

/** The reasons of the pipeline that do not come from the resolver (docs/reference/execution.md#pipeline). */
const LOGGED: Readonly<Record<string, string>> = {
  unknown_tool: "No such tool",
  not_in_list: "Not in the list",
  not_callable: "Cannot be called now",
  ambiguous_name: "Several tools have this name",
  session_busy: "Session is busy",
  arguments_refused: "Arguments refused",
  approval_denied: "Approval refused",
  approval_expired: "Approval expired",
  session_not_found: "No such session",
  session_required: "Invalid request: no session",
  needs_approval: "Needs approval",
};

/** The limits and the calls that they count, as the forms name them (docs/reference/execution.md#limits). */
const LIMITS: Readonly<Record<string, string>> = {
  rate: "call rate",
  per_day: "calls per day",
  concurrency: "concurrent calls",
};
const COUNTED: Readonly<Record<string, string>> = {
  tool: "of the tool",
  caller_and_tool: "of this caller for the tool",
  agent: "of the agent",
};

/** A call that the arguments refuse names the policy after its reason (docs/reference/execution.md#pipeline). */
const REFUSED_BY = /^arguments_refused by (\S+)$/;
const REFUSED_BY_WORDS = "Arguments refused by ";

/** The reason codes that a call in the log can have. */
export const LOGGED_REASONS: readonly string[] = [...Object.keys(REASON_WORDS), ...Object.keys(LOGGED)];

/** A reason of the log or an error's code, in words. A reason that is a sentence stays as it is. */
export function reasonInWords(reason: string): string {
  const words: Readonly<Record<string, string>> = { ...LOGGED, ...REASON_WORDS };
  if (words[reason] !== undefined) return words[reason];
  const [, limit, of] = /^(rate|per_day|concurrency) of (tool|caller_and_tool|agent)$/.exec(reason) ?? [];
  if (limit !== undefined && of !== undefined) return `Limit reached: ${LIMITS[limit]} ${COUNTED[of]}`;
  if (/^[a-z]+(?:_[a-z]+)*$/.test(reason)) return upperFirst(reason.replaceAll("_", " "));
  return reason
    .replaceAll("`", "")
    .replace(REFUSED_BY, `${REFUSED_BY_WORDS}$1`)
    .replace(/^agent_disabled: /, "Agent disabled: ");
}

/** The problem of an assertion for people: its reason code, at the end in brackets, in words. */
export function problemInWords(problem: string): string {
  return problem.replace(/ \((\w+)\)$/, (_, code: string) => {
    return `: ${lowerFirst(reasonInWords(code))}`;
  });
}

/** The tool that a call requested; a dash when the request named none. */
export function toolOf({ toolId, asked }: Pick<ExecutionRow, "toolId" | "asked">): string {
  return toolId ?? (asked || "—");
}

/** The part of a row of the log that says why a call was refused, and by which rules. */
export type RefusedRow = Pick<ExecutionRow, "asked" | "reason" | "code" | "attempts" | "policies" | "flowRules">;

/** The reason of a row of the log in words, and the rules that refused the call: their names continue the words. */
export function ruledReasonOf(row: RefusedRow): {
  readonly words: string;
  readonly kind: "policy" | "flow";
  readonly names: readonly string[];
} {
  const [, policy] = REFUSED_BY.exec(row.reason ?? "") ?? [];
  if (policy !== undefined) return { words: REFUSED_BY_WORDS, kind: "policy", names: [policy] };
  const words = reasonOf(row);
  const [kind, names] =
    row.reason === "flow_restricted"
      ? (["flow", row.flowRules] as const)
      : (["policy", row.reason === "denied_by_policy" ? row.policies : []] as const);
  return { words: names.length === 0 ? words : `${words}: `, kind, names };
}

/** The reason of a row of the log; with the count in a row of refused attempts. */
export function reasonOf(row: Pick<ExecutionRow, "asked" | "reason" | "code" | "attempts">): string {
  const words = reasonInWords(row.reason ?? row.code ?? "—");
  if (!isRefusedAttempts(row)) return words;
  const count = counted(row.attempts, "attempt");
  return `${count}, ${lowerFirst(words)}`;
}
