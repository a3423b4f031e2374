import { popcount } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import { log } from "@/lib/telemetry/log";

interface Counts {
  readonly allowed: number;
  readonly denied: number;
}

/** Counted once per revision and profile. */
const counted = new WeakMap<Index, Map<string, Counts>>();

/** Logs which profiles a request was held to, and how much of the catalogue each lets through (docs/reference/decision.md#profile). */
export function logProfileUse(index: Index, profiles: readonly string[], requestId: string): void {
  for (const profile of profiles) log.info({ requestId, profile, ...countsOf(index, profile) }, "A profile was used.");
}

function countsOf(index: Index, profile: string): Counts {
  const known = counted.get(index) ?? new Map<string, Counts>();
  counted.set(index, known);
  let counts = known.get(profile);
  if (counts === undefined) {
    const { allowed: byRule, reviewed } = index.profiles(profile);
    const allowed = byRule.reduce((sum, word, at) => sum + popcount(word & (reviewed[at] ?? 0)), 0);
    counts = { allowed, denied: index.tools.all.length - allowed };
    known.set(profile, counts);
  }
  return counts;
}
