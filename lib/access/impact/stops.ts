import type { Tool } from "@/lib/access/model/configuration";
import { inParts, type Parts } from "@/lib/access/model/parts";

/** What stops a call that the rules allow: an approval, and limits. */
export interface Stops {
  /** Whether calls of a tool (by id) wait for a person. */
  readonly needsApproval: (toolId: string) => boolean;
  /** The limits on a call. */
  readonly limitsOf: (call: StoppedCall) => readonly CountedLimit[];
}

/** At most `cap` calls with one key: begun within `seconds`, or running at a time when that is `null`. */
export interface CountedLimit {
  readonly key: string;
  readonly cap: number;
  readonly seconds: number | null;
  /** In the words of the log: "rate of tool". */
  readonly reason: string;
}

/** The facts of a call that approvals and limits depend on. */
export interface StoppedCall {
  readonly toolId: string;
  readonly issuer: string;
  readonly subject: string;
  readonly agent: string | null;
  /** Epoch milliseconds. */
  readonly at: number;
  /** When it ran, in epoch milliseconds; both are `at` for a call that did not run. */
  readonly ran: { readonly from: number; readonly until: number };
}

/** Calls that only the changed configuration would stop, with the reason, in their order. */
interface NewlyStopped<Call> {
  readonly waiting: readonly Call[];
  readonly limited: readonly { readonly call: Call; readonly reason: string }[];
}

/**
 * The calls that would wait or reach a limit under `after`, and do not under `before`. Each side counts the given calls
 * alone, so calls before the first of them are missing from its windows.
 *
 * @param calls in the order of time, oldest first
 */
export function newlyStopped<Call extends StoppedCall>(
  calls: readonly Call[],
  before: Stops,
  after: Stops,
): NewlyStopped<Call> {
  const [reachesBefore, reachesAfter] = [counters(before), counters(after)];
  const waiting: Call[] = [];
  const limited: { call: Call; reason: string }[] = [];
  for (const call of calls) {
    const [was, is] = [reachesBefore(call), reachesAfter(call)];
    if (is !== null && was === null) limited.push({ call, reason: is });
    if (after.needsApproval(call.toolId) && !before.needsApproval(call.toolId)) waiting.push(call);
  }
  return { waiting, limited };
}

/** Counts the calls of one side. Returns the reason of the first full limit for a call, which then does not count. */
function counters({ limitsOf }: Stops): (call: StoppedCall) => string | null {
  // By key: when each counted call takes a place. An async call may run after calls that were made later.
  const taken = new Map<string, StoppedCall["ran"][]>();
  return (call) => {
    const limits = limitsOf(call).map((limit) => {
      const own = limit.seconds === null ? call.ran : { from: call.at, until: call.at + limit.seconds * 1000 };
      const others = taken.get(limit.key) ?? [];
      const places = others.filter(({ from, until }) => from <= own.from && until > own.from);
      return { ...limit, own, others, isFull: places.length >= limit.cap };
    });
    const full = limits.find(({ isFull }) => isFull);
    if (full !== undefined) return full.reason;
    for (const { key, own, others } of limits) taken.set(key, [...others, own]);
    return null;
  };
}

/** How a change alters what stops a caller's calls, of the tools that it sees before and after. */
interface StopsChange {
  /** Calls would newly wait for an approval. */
  readonly approvalAdded: readonly Tool[];
  /** Calls would no longer wait for one. */
  readonly approvalRemoved: readonly Tool[];
  /** Calls would have other limits: of the tool, or of the caller's agent. */
  readonly limitsChanged: readonly Tool[];
}

/** Tells the change for a caller, by the tools that it keeps and its agent. */
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
function sameLimits(before: Stops, after: Stops, of: Pick<StoppedCall, "toolId" | "agent">): boolean {
  const call = { ...of, issuer: "", subject: "", at: 0, ran: { from: 0, until: 0 } };
  return JSON.stringify(before.limitsOf(call)) === JSON.stringify(after.limitsOf(call));
}
