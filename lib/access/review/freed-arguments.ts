import { checkArguments } from "@/lib/access/decide/arguments";
import type { Index } from "@/lib/access/compile/compile";
import { argumentsHold, type CompiledPolicy } from "@/lib/access/compile/policies";
import { exampleClaims } from "@/lib/access/findings/example";
import { toConstraints } from "@/lib/access/findings/constraints";
import { parseClaimPath } from "@/lib/access/model/claims";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ResolveRequest } from "@/lib/access/decide/resolution";

/** Arguments that are tried for one policy. */
const MAX_TRIED = 50;

/** A caller's call of a tool, before and after a change. */
interface Compared {
  readonly before: Index;
  readonly after: Index;
  readonly was: ResolveRequest;
  readonly is: ResolveRequest;
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Whether the resolver confirms arguments that a policy accepts, and that a caller may use only after a change. Tries values at
 * the bounds of the policy's argument conditions; `false` proves nothing.
 */
export function freesArguments({ before, after, was, is, tool, at }: Compared, policy: CompiledPolicy): boolean {
  return argumentsAtBounds(policy, at)
    .slice(0, MAX_TRIED)
    .some((args) => {
      if (!argumentsHold(policy, args, at)) return false;
      if (!checkArguments(after, is, tool, args, at).allowed) return false;
      return !checkArguments(before, was, tool, args, at).allowed;
    });
}

/** Arguments that a policy may accept: an example, and the example with a value at the bound of one condition. */
function argumentsAtBounds(compiled: CompiledPolicy, at: number): readonly JsonObject[] {
  const example = exampleClaims(toConstraints({ ...compiled, matchers: compiled.arguments }), at);
  if (example === null) return [];
  const moved = compiled.policy.arguments.flatMap(({ claim, value }) => {
    const path = parseClaimPath(claim);
    const name = "problem" in path || path.steps.length !== 1 ? undefined : path.steps[0];
    return typeof name === "string" ? boundsOf(value).map((bound): JsonObject => ({ ...example, [name]: bound })) : [];
  });
  return [example, ...moved];
}

function boundsOf(value: Json | undefined): readonly Json[] {
  if (typeof value === "number") return [value, value - 1, value + 1];
  return Array.isArray(value) ? (value as readonly Json[]) : value === undefined ? [] : [value];
}
