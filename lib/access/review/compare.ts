import type { Index } from "@/lib/access/compile/compile";
import type { Work } from "@/lib/access/findings/covers";
import type { Bits } from "@/lib/access/model/bitset";
import type { Parts } from "@/lib/access/model/parts";
import { compareAgents } from "@/lib/access/review/agents";
import type { Doubt } from "@/lib/access/review/doubt";
import { compareReach } from "@/lib/access/review/reach";
import { toSide } from "@/lib/access/review/sides";
import { compareSteps } from "@/lib/access/review/steps";

/** Steps of a proof, shared by all policies of a comparison. Beyond it nothing more is proven. */
const WORK = 2_000_000;

/** The result of a comparison. */
interface Compared {
  /** Empty: proven that no caller sees more or may call more, at any time from now on. */
  readonly doubts: readonly Doubt[];
  /** Tools, by number after the change, that some caller may see or request. */
  readonly reachable: Bits;
}

/**
 * Compares two configurations by proof: no doubts means that after the change no caller sees a tool, in any state and at
 * any time from `now` on (epoch ms), that the caller did not see before, none may request one that the caller could neither
 * see nor request, and no argument condition is weaker. Each step of a decision only removes tools, so the steps are
 * compared one by one. Routing, requested groups and the states of the built-in machine bind no caller. Pauses are not
 * compared.
 */
export function* compareDecisions(before: Index, after: Index, now: number): Parts<Compared> {
  const work: Work = { left: WORK };
  const sides = { before: yield* toSide(before, after, now), after: yield* toSide(after, after, now) };
  const reach = yield* compareReach(sides.before, sides.after, now, work);
  const steps = yield* compareSteps(sides.before, sides.after, reach);
  const agents = yield* compareAgents(before, after, reach.reachable);
  return { doubts: [...reach.doubts, ...steps, ...agents], reachable: reach.reachable };
}
