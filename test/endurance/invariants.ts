import type { Seen } from "@/bench/support/traffic";
import { verifyLog } from "@/lib/audit/verify/verify";
import { FORBIDDEN, ORDER } from "@/test/endurance/document";
import type { World } from "@/test/endurance/world";

/** A stretch of `performance.now()` in which something was broken on purpose. */
export interface Fault {
  readonly from: number;
  /** When it was put right. */
  readonly mended: number;
}

/** docs/reference/promises.md: serving again 5 s after a crash, or after the store's return; and what a busy machine may add. */
export const RECOVERS_MS = 5_000 + 1_500;

/** Invariants that hold under every fault; each violation as a sentence. */
export async function violations(
  world: World,
  seen: readonly Seen[],
  faults: readonly Fault[],
  since: Date,
): Promise<readonly string[]> {
  return [
    ...refusedAlways(world, seen),
    ...faultsOnly(seen, faults),
    ...errorsNamed(seen),
    ...(await onlyLoggedEffects(world, since)),
    ...(await answersAreLogged(world, seen)),
    ...(await sealed()),
  ];
}

/** A call that the rules refuse was never allowed, and never reached the upstream. */
function refusedAlways(world: World, seen: readonly Seen[]): string[] {
  const allowed = seen.filter(
    ({ kind, status, text }) =>
      ["revoked", "forbidden"].includes(kind) && ((status >= 200 && status < 300) || text.includes('"succeeded"')),
  );
  const reached = world.upstream.forbidden();
  return [
    ...allowed.map(({ kind, text }) => `A ${kind} call was allowed: ${text}`),
    ...(reached > 0 ? [`${FORBIDDEN} reached the upstream ${reached} times.`] : []),
  ];
}

/** Requests while nothing was broken got their usual answers. */
function faultsOnly(seen: readonly Seen[], faults: readonly Fault[]): string[] {
  return seen
    .filter(isWrong)
    .filter((one) => !faults.some(({ from, mended }) => one.ended >= from && one.began <= mended + RECOVERS_MS))
    .map(
      ({ kind, status, wanted, text }) => `${kind}: ${status} instead of ${wanted}, while nothing was broken: ${text}`,
    );
}

/** Every fault has its own error code. A 500 (`internal`) is a defect of ours (docs/operations.md). */
function errorsNamed(seen: readonly Seen[]): string[] {
  return seen
    .filter(({ status }) => status === 500)
    .map(({ kind, text }) => `${kind}: 500, which names no fault: ${text}`);
}

/** Whether an answer is another than while nothing is broken. */
export function isWrong({ status, wanted, text }: Seen): boolean {
  return status !== wanted || text.includes('"isError":true');
}

/** No effect without its intent row (docs/reference/execution.md#pipeline). */
async function onlyLoggedEffects(world: World, since: Date): Promise<string[]> {
  const rows = await world.query<{ text: string }>(
    `select b.text from execution_body b join execution e using ("callId")
     where b.part = 'arguments' and e."toolId" = $1 and e.at >= $2::timestamptz - interval '1 hour'`,
    [ORDER, since.toISOString()],
  );
  const logged = new Set(rows.map(({ text }) => (JSON.parse(text) as { id?: string }).id));
  const came = world.upstream.take();
  if (came.length === 0) return ["No order reached the upstream: nothing was tried."];
  return came
    .filter((id) => !logged.has(id))
    .map((id) => `The order ${id} reached the upstream, and is not in the log.`);
}

/** The log agrees with every answer to a caller. */
async function answersAreLogged(world: World, seen: readonly Seen[]): Promise<string[]> {
  const answered = new Map<string, string>();
  for (const { text } of seen) {
    const [, callId] = /"call_id":"([^"]+)"/.exec(text) ?? [];
    const [, status] = /"status":"(succeeded|denied)"/.exec(text) ?? [];
    // A call that could not be logged says so, and has no row.
    if (callId !== undefined && status !== undefined && !text.includes('"retryable":true'))
      answered.set(callId, status);
  }
  if (answered.size === 0 && seen.length > 0) return ["No answer named its call: nothing could be compared."];
  const rows = await world.query<{ callId: string; status: string }>(
    `select "callId", status from execution_outcome where "callId" = any($1)`,
    [[...answered.keys()]],
  );
  const logged = new Map(rows.map(({ callId, status }) => [callId, status]));
  return [...answered]
    .filter(([callId, status]) => logged.get(callId) !== status)
    .map(([callId, status]) => `${callId} was answered as ${status}; the log says ${logged.get(callId) ?? "nothing"}.`);
}

async function sealed(): Promise<string[]> {
  const { findings } = await verifyLog({ checkpoints: [] });
  return findings.map(({ kind, detail }) => `The log is not intact: ${kind}: ${detail}`);
}

/** Intents that nobody runs any more have an outcome, `interrupted`, once their process counts as gone. */
export async function openIntents(world: World): Promise<number> {
  const [row] = await world.query<{ open: number }>(
    `select count(*)::int as open from execution e
     where not exists (select from execution_outcome o where o."callId" = e."callId" and o."callAt" = e.at)`,
  );
  return row?.open ?? 0;
}
