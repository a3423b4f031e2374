import { explain, trace } from "@/lib/access/explain";
import type { Explanation, GroupTrace, PolicyTrace, Resolution } from "@/lib/access/resolution";
import type { ManifestSource } from "@/lib/manifest/entries";
import { fixOutput, viaOutput } from "@/lib/manifest/preview";
import type { CallersInput, CallerStanding } from "@/lib/resources/callers";

/** What a tool, a group or a policy is to one caller, without who that is. */
export type Standing = Omit<CallerStanding, "kind" | "name" | "issuer" | "callId">;

/** From one decision of the resolver and its trace; `null`: there is no such tool, group or policy. */
export function standingOf({ kind, name }: CallersInput, source: ManifestSource): Standing | null {
  const { index, request, now, resolution } = source;
  if (kind === "tool") {
    const explanation = explain(index, request, name, now);
    return explanation === null ? null : ofTool(explanation, resolution);
  }
  const { groups, policies } = trace(index, request, now);
  if (kind === "group") {
    const group = groups.find((one) => one.name === name);
    return group === undefined ? null : ofGroup(group, resolution);
  }
  const policy = policies.find((one) => one.name === name);
  return policy === undefined ? null : ofPolicy(policy, resolution);
}

const NO_TOOL = { reason: null, fix: null } as const;

function ofTool({ tool, visible, reason, fix, via, steps }: Explanation, { tools }: Resolution): Standing {
  const shown = tools.find((one) => one.tool.id === tool.id);
  const through = via.map(({ group, policies }) => `${quoted(policies)} → \`${group}\``).join("; ");
  return {
    standing: !visible ? "no" : shown?.conditional === true ? "partly" : "yes",
    why: visible
      ? `Through ${through}${shown?.conditional === true ? ", for some arguments only" : ""}.`
      : (steps.find(({ passed }) => !passed)?.detail ?? ""),
    visible: visible ? 1 : 0,
    reason,
    fix: fixOutput(fix),
    via: viaOutput(via),
  };
}

function ofGroup({ name, granted, grantedBy, deniedBy, active, members }: GroupTrace, { tools }: Resolution): Standing {
  const visible = tools.filter(({ groups }) => groups.includes(name)).length;
  const why =
    deniedBy.length > 0
      ? `Denied by ${quoted(deniedBy)}.`
      : grantedBy.length === 0
        ? "No policy that matches grants it."
        : `Granted by ${quoted(grantedBy)}${active ? "" : ", but it is inactive"}.`;
  const standing = !granted || visible === 0 ? "no" : visible < members ? "partly" : "yes";
  return { standing, why, visible, ...NO_TOOL, via: [] };
}

function ofPolicy(policy: PolicyTrace, { tools }: Resolution): Standing {
  const through = new Set(policy.groups);
  const visible = tools.filter(({ groups }) => groups.some((group) => through.has("*") || through.has(group))).length;
  return {
    standing: policy.matched ? "yes" : "no",
    why: whyMatched(policy),
    visible: policy.matched && policy.effect === "allow" ? visible : 0,
    ...NO_TOOL,
    via: [],
  };
}

function whyMatched({ skipped, matched, matchers }: PolicyTrace): string {
  if (skipped !== null) return `It is ${skipped.replaceAll("_", " ")}.`;
  if (matched) return matchers.length === 0 ? "It is for everyone." : "All of its matchers hold.";
  const failing = matchers.find(({ held }) => !held);
  if (failing === undefined) return "It does not match.";
  // What a caller of the log carries is not told here: only what it would need.
  const { claim, operator, expected, outcome } = failing;
  const wanted = expected === null ? "" : ` \`${JSON.stringify(expected)}\``;
  return `\`${claim}\` ${operator.replaceAll("_", " ")}${wanted} does not hold: ${outcome.replaceAll("_", " ")}.`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}
