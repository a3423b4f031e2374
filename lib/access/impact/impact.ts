import { checkArguments, rulesOnArguments } from "@/lib/access/decide/arguments";
import { emptyBits, hasBit, setBit } from "@/lib/access/model/bitset";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Index } from "@/lib/access/compile/compile";
import type { Json, JsonObject, Tool } from "@/lib/access/model/configuration";
import { registeredIn, requestAgain, type LoggedCaller, type Registered } from "@/lib/access/impact/request";
import type { RequestAnswer } from "@/lib/access/model/request";
import type { Reason } from "@/lib/access/decide/resolution";
import { check, visibleNumbers } from "@/lib/access/decide/resolve";

/** What a change does to one caller's tools. */
export interface ToolsMoved {
  /** How many tools the caller has. */
  readonly before: number;
  readonly after: number;
  /** In the order of a list. */
  readonly gained: readonly Tool[];
  readonly lost: readonly Tool[];
  /** Why the caller would not be served at all, or `null`. */
  readonly problem: string | null;
}

/** A call that was made. */
export interface LoggedCall {
  readonly caller: LoggedCaller;
  readonly toolId: string;
  /** It was refused when it was made. */
  readonly denied: boolean;
  /** `null` when they are not at hand: then conditions on arguments cannot be judged. */
  readonly arguments: JsonObject | null;
}

/** Why a call would be refused. */
export interface Refused {
  /** A reason code of a resolution, or what else refuses a call of a tool that is named rightly. */
  readonly reason: Reason | "unknown_tool" | "arguments_refused" | "caller_refused";
  /** A sentence where the code says less than is known. */
  readonly detail: string | null;
}

/** What a change does to a call like one that was made. */
export type CallMoved =
  | { readonly kind: "same" }
  | { readonly kind: "refused"; readonly why: Refused }
  | { readonly kind: "allowed"; readonly why: Refused }
  /** It depends on arguments that are not at hand. */
  | { readonly kind: "undecided" };

/** Two configurations at one moment: the one in force and the one that would be. */
export interface Comparison {
  /** The tools of whoever asks, on each side. */
  readonly tools: (before: RequestAnswer, after: RequestAnswer) => ToolsMoved;
  /** The same for a caller that the log knows. */
  readonly caller: (caller: LoggedCaller) => ToolsMoved;
  /** Whether a call like this one would be decided otherwise. */
  readonly call: (call: LoggedCall) => CallMoved;
}

/**
 * Compares two configurations by the decisions that the resolver makes on each (docs/reference/http.md#admin-api). Tools are
 * compared by id; lists are never made, so that hundreds of callers cost little more than their decisions.
 *
 * @param now epoch milliseconds of every decision
 */
export function compareIndexes(before: Index, after: Index, now: number): Comparison {
  const sides = { before: registeredIn(before), after: registeredIn(after) };
  const numberBefore = after.tools.all.map(({ id }) => before.tools.numberOf.get(id) ?? -1);
  const both = (caller: LoggedCaller): AskedTwice => ({
    before: requestAgain(sides.before, sides.before, caller),
    after: requestAgain(sides.after, sides.before, caller),
  });
  const tools: Comparison["tools"] = (was, is) => {
    const had = was.ok ? visibleNumbers(before, was.request, now) : [];
    const has = is.ok ? visibleNumbers(after, is.request, now) : [];
    const hadBits = emptyBits(before.tools.all.length);
    for (const number of had) setBit(hadBits, number);
    const keptBits = emptyBits(before.tools.all.length);
    const gained = has.filter((number) => {
      const known = numberBefore[number] ?? -1;
      if (known >= 0) setBit(keptBits, known);
      return known < 0 || !hasBit(hadBits, known);
    });
    const lost = had.filter((number) => !hasBit(keptBits, number));
    return {
      before: had.length,
      after: has.length,
      gained: gained.flatMap((number) => after.tools.all[number] ?? []),
      lost: lost.flatMap((number) => before.tools.all[number] ?? []),
      problem: is.ok ? null : is.message,
    };
  };
  return {
    tools,
    caller: (caller) => {
      const asked = both(caller);
      return tools(asked.before, asked.after);
    },
    call: (call) => {
      const asked = both(call.caller);
      const was = judge(sides.before, asked.before, call, now);
      const is = judge(sides.after, asked.after, call, now);
      if (was === "undecided" && is === "undecided" && sameRules(before, after, asked, call.toolId, now))
        return { kind: "same" };
      // What arguments that are not at hand decided then, the call itself has told.
      return moved(was === "undecided" && !call.denied ? "allowed" : was, is);
    },
  };
}

interface AskedTwice {
  readonly before: RequestAnswer;
  readonly after: RequestAnswer;
}

/** Whether a tool's arguments are judged by the same rules on both sides: then they are judged alike, whatever they are. */
function sameRules(before: Index, after: Index, asked: AskedTwice, toolId: string, now: number): boolean {
  const rules = (index: Index, answer: RequestAnswer) =>
    answer.ok ? canonicalText(rulesOnArguments(index, answer.request, toolId, now) as unknown as Json) : "";
  return rules(before, asked.before) === rules(after, asked.after);
}

type Verdict = "allowed" | "undecided" | Refused;

function moved(before: Verdict, after: Verdict): CallMoved {
  const [was, is] = [typeof before === "string" ? null : before, typeof after === "string" ? null : after];
  if (was !== null && is !== null) return { kind: "same" };
  if (before === "undecided" || after === "undecided") return { kind: "undecided" };
  if (is !== null) return { kind: "refused", why: is };
  return was === null ? { kind: "same" } : { kind: "allowed", why: was };
}

/** Steps 2 and 4 of the pipeline (docs/reference/execution.md): the tool must be visible, then its arguments may be refused. */
function judge(
  { index }: Registered,
  asked: RequestAnswer,
  { toolId, arguments: args }: LoggedCall,
  now: number,
): Verdict {
  if (!asked.ok) return { reason: "caller_refused", detail: asked.message };
  const checked = check(index, asked.request, toolId, now);
  if (checked.verdict === "unknown") return { reason: "unknown_tool", detail: null };
  if (checked.verdict === "hidden") return { reason: checked.reason, detail: null };
  if (!checked.tool.conditional) return "allowed";
  if (args === null) return "undecided";
  const verdict = checkArguments(index, asked.request, toolId, args, now);
  return verdict.allowed ? "allowed" : { reason: "arguments_refused", detail: verdict.reason };
}
