import { hasBit } from "@/lib/access/model/bitset";
import type { Index } from "@/lib/access/compile/compile";
import { ALL, type Tool } from "@/lib/access/model/configuration";
import type { Constraint, Constraints } from "@/lib/access/findings/constraints";
import { toFinding, type Finding } from "@/lib/access/findings/finding";
import { groupsOf } from "@/lib/access/findings/reach";
import { listFirst } from "@/lib/access/model/lists";

/** Claims that describe a token, not its bearer. */
const TOKEN_CLAIMS: ReadonlySet<string | number> = new Set(["iss", "aud", "exp", "iat", "nbf", "jti", "auth_time"]);
/** Tools that a sentence names; it counts the others. */
const MAX_NAMED = 3;

/** Days without a call after which an agent is idle. */
export const IDLE_DAYS = 90;

/** Finds policies that grant every group: later imports and groups are then granted without a decision. */
export function findWildcardGrants(granting: readonly Constraints[]): readonly Finding[] {
  return granting.flatMap(({ compiled: { policy } }) => {
    if (!policy.groups.includes(ALL)) return [];
    return toFinding({
      kind: "grants_everything",
      about: { kind: "policy", name: policy.name },
      text: `\`${policy.name}\` grants every tool, including tools that are imported later.`,
      fix: "Grant only the groups that its callers need.",
    });
  });
}

/** Turns idle agents (names) into findings: an unused credential is a risk without a use. */
export function findIdleAgents({ config }: Index, idle: readonly string[]): readonly Finding[] {
  const known = new Set(config.agents.map(({ name }) => name));
  return idle
    .filter((name) => known.has(name))
    .map((name) =>
      toFinding({
        kind: "agent_idle",
        about: { kind: "agent", name },
        text: `\`${name}\` has made no call for ${IDLE_DAYS} days.`,
        fix: "Disable the agent, or delete it with its API keys.",
      }),
    );
}

/**
 * Finds policies that grant tools with side effects without asking who the caller is: to everyone, or by matchers that
 * require no value of a claim about the caller. Tools that are denied to everyone do not count.
 */
export function findAnonymousSideEffects(
  index: Index,
  granting: readonly Constraints[],
  universalDenies: readonly Constraints[],
): readonly Finding[] {
  const { tools, groups } = index;
  const denied = groupsOf(universalDenies, groups.all.length);
  return granting.flatMap((policy) => {
    if (policy.all.some(requiresCallerClaim)) return [];
    const granted = groupsOf([policy], groups.all.length).map((word, at) => word & (groups.active[at] ?? 0));
    const exposed = tools.all.filter((tool, number) => {
      const members = groups.groupSets[groups.groupSetOf[number] ?? 0]?.members ?? [];
      return (
        tool.hasSideEffects &&
        tool.enabled &&
        tool.status === "active" &&
        members.some((group) => hasBit(granted, group)) &&
        !members.some((group) => hasBit(denied, group))
      );
    });
    return exposed.length === 0 ? [] : toExposure(policy, exposed);
  });
}

function toExposure({ compiled: { policy } }: Constraints, exposed: readonly Tool[]): Finding {
  const tools = listFirst(exposed, MAX_NAMED, ({ id }) => `\`${id}\``);
  const who = policy.everyone ? "every caller" : "unidentified callers";
  return toFinding({
    kind: "side_effects_for_anyone",
    about: { kind: "policy", name: policy.name },
    text: `\`${policy.name}\` grants tools with side effects to ${who}: ${tools}.`,
    fix: "Add a condition on a claim about the caller, or grant a group without these tools.",
    refs: exposed.slice(0, MAX_NAMED).map(({ id }) => ({ kind: "tool", name: id })),
  });
}

/** Whether a constraint requires a value of a claim about the caller. */
function requiresCallerClaim({ demand, family, path }: Constraint): boolean {
  if (demand !== "some" && demand !== "one") return false;
  return family !== "time" && family !== "window" && !TOKEN_CLAIMS.has(path.steps[0] ?? "");
}
