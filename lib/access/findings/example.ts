import { type ClaimStep } from "@/lib/access/model/claims";
import { isList } from "@/lib/access/model/json";
import type { Effect, Json, JsonObject } from "@/lib/access/model/configuration";
import type { Constraint, Constraints } from "@/lib/access/findings/constraints";
import { valuesAt } from "@/lib/access/findings/values";

/** The longest list that an example creates for an index in a path. */
const MAX_INDEX = 1000;

type Node = { [key: string]: Json } | Json[];

/**
 * Claims that should satisfy a policy's constraints at an instant (epoch ms), except those in `leaveOut`. A guess: the
 * caller must verify it with the resolver. `null` when no value is known for some path.
 */
export function exampleClaims(
  { byPath, compiled }: Constraints,
  at: number,
  leaveOut: ReadonlySet<number> = new Set(),
): JsonObject | null {
  const claims: { [key: string]: Json } = {};
  const paths = [...byPath.values()].toSorted((left, right) => depth(left) - depth(right));
  for (const every of paths) {
    const same = every.filter((one) => !leaveOut.has(one.at));
    const path = every[0]?.path;
    if (same.length === 0 || path === undefined || path.hopeless) continue;
    const value = firstThatHolds(same, compiled.policy.effect, at);
    if (value === null) return null;
    if (value.claim !== undefined && !put(claims, path.steps, value.claim)) return null;
  }
  return claims;
}

const depth = (same: readonly Constraint[]): number => same[0]?.path.steps.length ?? 0;

function firstThatHolds(
  same: readonly Constraint[],
  effect: Effect,
  at: number,
): { readonly claim: Json | undefined } | null {
  for (const claim of valuesAt(same, effect, at)) {
    const alone = same.every((one) => {
      const claims: { [key: string]: Json } = {};
      return (claim === undefined || put(claims, one.path.steps, claim)) && one.holds(claims, at);
    });
    if (alone) return { claim };
  }
  return null;
}

/** Puts a value at a path. Creates objects and lists on the way, and replaces values that block it. */
function put(claims: { [key: string]: Json }, steps: readonly ClaimStep[], value: Json): boolean {
  let node: Node = claims;
  for (const [i, step] of steps.entries()) {
    const next = steps[i + 1];
    const known = read(node, step);
    const inner: Json =
      next === undefined ? value : isNode(known, typeof next === "number") ? known : typeof next === "number" ? [] : {};
    if (!write(node, step, inner)) return false;
    if (next !== undefined) node = inner as Node;
  }
  return true;
}

function isNode(value: Json | undefined, list: boolean): value is readonly Json[] | JsonObject {
  return typeof value === "object" && value !== null && isList(value) === list;
}

function read(node: Node, step: ClaimStep): Json | undefined {
  if (Array.isArray(node)) return typeof step === "number" ? node[step] : undefined;
  return Object.hasOwn(node, String(step)) ? node[String(step)] : undefined;
}

function write(node: Node, step: ClaimStep, value: Json): boolean {
  if (Array.isArray(node)) {
    if (typeof step !== "number" || step > MAX_INDEX) return false;
    while (node.length <= step) node.push(null);
    node[step] = value;
    return true;
  }
  node[String(step)] = value;
  return true;
}
