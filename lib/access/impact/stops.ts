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
