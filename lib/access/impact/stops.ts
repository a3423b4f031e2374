import type { Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";

/** What stops a call that the rules allow: an approval, and limits. */
export interface Stops {
  /** Whether calls of a tool (by id) wait for a person. */
  readonly needsApproval: (toolId: string) => boolean;
  readonly limitsOf: (call: CountedCall) => readonly CountedLimit[];
}

/** At most `cap` calls with the same key: begun within `seconds`, or running at once if `seconds` is `null`. */
export interface CountedLimit {
  readonly key: string;
  readonly cap: number;
  readonly seconds: number | null;
  /** In the words of the log: "rate of tool". */
  readonly reason: string;
}

/** The facts of a call that approvals and limits depend on. */
export interface CountedCall {
  readonly toolId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  /** When it ran, in epoch milliseconds; both are `at` for a call that did not run. */
  readonly ran: { readonly from: number; readonly until: number };
}

/** Calls that only the changed configuration would stop, oldest first. */
interface NewlyStopped<Call> {
  readonly waiting: readonly Call[];
  readonly limited: readonly { readonly call: Call; readonly reason: string }[];
}

/**
 * Finds the calls that would wait for approval or exceed a limit under `after`, but not under `before`. Limits count
 * only the given calls: calls before the first one are unknown.
 *
 * @param calls oldest first
 */
export function newlyStopped<Call extends CountedCall>(
  calls: readonly Call[],
  before: Stops,
  after: Stops,
): NewlyStopped<Call> {
  const [limitedBefore, limitedAfter] = [limitCounter(before), limitCounter(after)];
  const waiting: Call[] = [];
  const limited: { call: Call; reason: string }[] = [];
  for (const call of calls) {
    const [was, is] = [limitedBefore(call), limitedAfter(call)];
    if (is !== null && was === null) limited.push({ call, reason: is });
    if (after.needsApproval(call.toolId) && !before.needsApproval(call.toolId)) waiting.push(call);
  }
  return { waiting, limited };
}

/**
 * Returns a function that counts a call against one side's limits. It returns the reason of the first full limit. Such a
 * call is not counted.
 */
function limitCounter({ limitsOf }: Stops): (call: CountedCall) => string | null {
  // By key: the periods in which counted calls take a place. Unsorted, because an async call may run after later calls.
  const periods = new Map<string, CountedCall["ran"][]>();
  return (call) => {
    const limits = limitsOf(call).map((limit) => {
      const period = limit.seconds === null ? call.ran : { from: call.at, until: call.at + limit.seconds * 1000 };
      const others = periods.get(limit.key) ?? [];
      const places = others.filter(({ from, until }) => from <= period.from && until > period.from);
      return { ...limit, period, others, isFull: places.length >= limit.cap };
    });
    const full = limits.find(({ isFull }) => isFull);
    if (full !== undefined) return full.reason;
    for (const { key, period, others } of limits) periods.set(key, [...others, period]);
    return null;
  };
}

/** The tools whose approvals or limits a change alters, among those that a caller sees before and after it. */
interface StopsChange {
  /** Calls would wait for an approval only after the change. */
  readonly approvalAdded: readonly Tool[];
  /** Calls would no longer wait for an approval. */
  readonly approvalRemoved: readonly Tool[];
  /** Calls would have other limits: of the tool, or of the caller's agent. */
  readonly limitsChanged: readonly Tool[];
}

/** Computes the change for a caller from its agent and the tools that it sees before and after. */
export type StopsComparison = (kept: readonly Tool[], agent: string | null) => StopsChange;

/** Compares the approvals and limits of all tools once, so that each caller costs only its tools. */
export function* compareStops(tools: readonly Tool[], before: Stops, after: Stops): Parts<StopsComparison> {
  const [added, removed, limited] = [new Set<string>(), new Set<string>(), new Set<string>()];
  yield* inParts(tools, ({ id }) => {
    const [was, is] = [before.needsApproval(id), after.needsApproval(id)];
    if (was !== is) (is ? added : removed).add(id);
    if (!sameLimits(before, after, { toolId: id, agent: null })) limited.add(id);
  });
  const among = (kept: readonly Tool[], ids: ReadonlySet<string>) =>
    ids.size === 0 ? [] : kept.filter(({ id }) => ids.has(id));
  return (kept, agent) => ({
    approvalAdded: among(kept, added),
    approvalRemoved: among(kept, removed),
    limitsChanged: sameLimits(before, after, { toolId: "", agent }) ? among(kept, limited) : kept,
  });
}

/** Whether a tool's limits, or an agent's, are the same on both sides. */
function sameLimits(before: Stops, after: Stops, of: Pick<CountedCall, "toolId" | "agent">): boolean {
  const call = { ...of, issuer: "", subject: "", at: 0, ran: { from: 0, until: 0 } };
  return JSON.stringify(before.limitsOf(call)) === JSON.stringify(after.limitsOf(call));
}
