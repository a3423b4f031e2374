/** What stops a call that the rules allow: an approval, and limits. */
export interface Stops {
  /** Whether calls of a tool (by id) wait for a person. */
  readonly needsApproval: (toolId: string) => boolean;
  /** The limits on a call. */
  readonly limitsOf: (call: StoppedCall) => readonly WindowLimit[];
}

/** At most `cap` calls with one key within `seconds`. */
export interface WindowLimit {
  readonly key: string;
  readonly cap: number;
  readonly seconds: number;
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
}

/** Calls that only the changed configuration would stop, with the reason, in their order. */
export interface NewlyStopped<Call> {
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
  const [reachesBefore, reachesAfter] = [windows(before), windows(after)];
  const waiting: Call[] = [];
  const limited: { call: Call; reason: string }[] = [];
  for (const call of calls) {
    const [was, is] = [reachesBefore(call), reachesAfter(call)];
    if (is !== null && was === null) limited.push({ call, reason: is });
    if (after.needsApproval(call.toolId) && !before.needsApproval(call.toolId)) waiting.push(call);
  }
  return { waiting, limited };
}

/** Counts calls in the windows of one side; answers the reason of the first full limit. A limited call does not count. */
function windows({ limitsOf }: Stops): (call: StoppedCall) => string | null {
  const counted = new Map<string, number[]>();
  return (call) => {
    const limits = limitsOf(call).map((limit) => {
      const since = call.at - limit.seconds * 1000;
      return { ...limit, times: (counted.get(limit.key) ?? []).filter((at) => at > since) };
    });
    const full = limits.find(({ times, cap }) => times.length >= cap);
    if (full !== undefined) return full.reason;
    for (const { key, times } of limits) counted.set(key, [...times, call.at]);
    return null;
  };
}
