import type { SignedSeal } from "@/lib/contracts/log/seal";
import type { Ask } from "@/lib/store/db/log-session";
import { readSealsAfter } from "@/lib/store/audit/seals";

/** Below every number that a seal can have, forged ones included. */
const LOWEST = -(2 ** 31);
/** Seals that are fetched at a time. */
const SEALS_AT_ONCE = 200;
/** From so many rows, or seals, on, a group is full. */
const ROWS_IN_GROUP = 8_192;
const SEALS_IN_GROUP = 500;

/** Every seal in order, in groups that follow without a gap: their rows can be read together. */
export async function* everyGroup(ask: Ask): AsyncGenerator<readonly SignedSeal[]> {
  let group: SignedSeal[] = [];
  let rows = 0;
  for await (const seal of everySeal(ask)) {
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

async function* everySeal(ask: Ask): AsyncGenerator<SignedSeal> {
  for (let after = LOWEST; ;) {
    const seals = await readSealsAfter(ask, after, SEALS_AT_ONCE);
    yield* seals;
    const last = seals.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

/** Whether the transactions of a seal are those after the ones of another: one that was edited may say anything. */
function follows(seal: SignedSeal, before: SignedSeal): boolean {
  return (
    seal.era === before.era &&
    seal.fromXid === before.toXid &&
    before.fromXid < before.toXid &&
    seal.fromXid < seal.toXid
  );
}
