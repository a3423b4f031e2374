import type { SignedSeal } from "@/lib/contracts/log/seal";
import type { RunQuery } from "@/lib/store/db/log-session";
import { readSealsAfter } from "@/lib/store/audit/seals";

/** Below every possible number of a seal, forged ones included. */
const LOWEST = -(2 ** 31);
/** Seals fetched at a time. */
const SEALS_AT_ONCE = 200;
/** A group is full from this many rows or seals. */
const ROWS_IN_GROUP = 8_192;
const SEALS_IN_GROUP = 500;

/** Every seal in order, in groups without gaps: the rows of a group can be read together. */
export async function* everyGroup(runQuery: RunQuery): AsyncGenerator<readonly SignedSeal[]> {
  let group: SignedSeal[] = [];
  let rows = 0;
  for await (const seal of everySeal(runQuery)) {
    const before = group.at(-1);
    const full = rows >= ROWS_IN_GROUP || group.length >= SEALS_IN_GROUP;
    if (before !== undefined && (full || !follows(seal, before))) {
      yield group;
      [group, rows] = [[], 0];
    }
    group.push(seal);
    rows += seal.count;
  }
  if (group.length > 0) yield group;
}

async function* everySeal(runQuery: RunQuery): AsyncGenerator<SignedSeal> {
  for (let after = LOWEST; ;) {
    const seals = await readSealsAfter(runQuery, after, SEALS_AT_ONCE);
    yield* seals;
    const last = seals.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

/** Whether a seal's transactions directly follow those of another. An edited seal may claim any range. */
function follows(seal: SignedSeal, before: SignedSeal): boolean {
  return (
    seal.era === before.era &&
    seal.fromXid === before.toXid &&
    before.fromXid < before.toXid &&
    seal.fromXid < seal.toXid
  );
}
