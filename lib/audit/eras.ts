import { hashesOf } from "@/lib/audit/seal";
import type { Ask } from "@/lib/store/log-session";
import { readLeaves, readSealsCovering, type XidRange } from "@/lib/store/seals";

/**
 * The leaf hashes (hex) that other eras sealed under the same transaction numbers: after a restore the numbers begin anew,
 * so rows of two eras may stand beside each other.
 */
export async function leavesOfOtherEras(ask: Ask, range: XidRange, era: number): Promise<ReadonlySet<string>> {
  const sealed = new Set<string>();
  for (const seal of await readSealsCovering(ask, range)) {
    const leaves = seal.era === era ? null : await readLeaves(ask, seal.number);
    if (leaves !== null) for (const hash of hashesOf(leaves)) sealed.add(hash.toString("hex"));
  }
  return sealed;
}
