import type { GroupTable } from "@/lib/access/compile/groups";
import type { CompiledPolicy } from "@/lib/access/compile/policies";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";
import { accessGroupName, accessPolicyName } from "@/lib/access/model/access-names";
import type { AccessGrant, Configuration } from "@/lib/access/model/configuration";
import { equals } from "@/lib/access/model/matcher";
import type { Numbered } from "@/lib/access/model/catalogue";
import type { Parts } from "@/lib/access/model/parts";
import { parseTime } from "@/lib/access/model/times";

/**
 * Compiles each access grant to an allow for its caller over the built-in group of its tool
 * (docs/reference/decision.md#access-grants). The allow holds while its request policy is active, valid, matches the
 * caller and has the tool in an active group. The policy's argument conditions bind it. A grant without its request
 * policy is left out.
 */
export function* compileAccessGrants(
  { accessGrants }: Configuration,
  policies: readonly CompiledPolicy[],
  catalogue: { readonly tools: Numbered; readonly groups: GroupTable },
): Parts<readonly CompiledPolicy[]> {
  const byName = new Map(policies.map((compiled) => [compiled.policy.name, compiled]));
  const allows: CompiledPolicy[] = [];
  for (const grant of accessGrants) {
    yield;
    const request = byName.get(grant.policy);
    if (request?.policy.effect !== "request" || !canMatch(request) || !offers(request, grant.tool, catalogue)) continue;
    allows.push(allowOf(grant, request, policies.length + allows.length, catalogue.groups));
  }
  return allows;
}

/** A stored policy with neither conditions nor `everyone` matches nobody, so its grants match nobody either. */
function canMatch({ policy, matchers }: CompiledPolicy): boolean {
  return policy.everyone || matchers.length > 0;
}

/** Whether an active group of the request policy has the tool. */
function offers(
  { groups }: CompiledPolicy,
  tool: string,
  catalogue: { readonly tools: Numbered; readonly groups: GroupTable },
): boolean {
  const number = catalogue.tools.numberOf.get(tool);
  const members = catalogue.groups.groupSets[catalogue.groups.groupSetOf[number ?? -1] ?? -1]?.members ?? [];
  return members.some((group) => groups.includes(group) && catalogue.groups.all[group]?.active === true);
}

function allowOf(grant: AccessGrant, request: CompiledPolicy, number: number, { access }: GroupTable): CompiledPolicy {
  const identity = [equals("iss", grant.issuer), equals("sub", grant.subject)];
  return {
    number,
    policy: {
      ...request.policy,
      name: accessPolicyName(grant.id),
      effect: "allow",
      validFrom: grant.from,
      validUntil: grant.until,
      matchers: [...identity, ...request.policy.matchers],
      everyone: false,
      groups: [accessGroupName(grant.tool)],
    },
    from: Math.max(request.from, parseTime(grant.from) ?? Number.POSITIVE_INFINITY),
    until: Math.min(request.until, parseTime(grant.until) ?? Number.NEGATIVE_INFINITY),
    matchers: [...identity.map(compileMatcher), ...request.matchers],
    arguments: request.arguments,
    groups: [access.get(grant.tool) ?? -1].filter((group) => group >= 0),
    unreadable: false,
    grant,
  };
}
