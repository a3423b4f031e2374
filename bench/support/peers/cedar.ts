import { preparsePolicySet, statefulIsAuthorized } from "@cedar-policy/cedar-wasm/nodejs";
import type { Configuration, JsonObject, Policy } from "@/lib/access/model/configuration";

/** Decides whether a caller may use a tool. */
export type CedarCheck = (claims: JsonObject, tool: { readonly id: string; readonly group: string }) => boolean;

const text = (value: unknown): string => JSON.stringify(value);

function toCedar(policy: Policy): string {
  const conditions = policy.matchers.map(({ claim, operator, value }) =>
    operator === "contains" ? `context.${claim}.contains(${text(value)})` : `context.${claim} == ${text(value)}`,
  );
  const effect = policy.effect === "allow" ? "permit" : "forbid";
  return policy.groups
    .map(
      (group) => `${effect}(principal, action, resource in Group::${text(group)}) when { ${conditions.join(" && ")} };`,
    )
    .join("\n");
}

/** The same policies in Cedar, parsed once; the caller's claims are the context, and the tool's group is its parent entity. */
export function cedarPeer(config: Configuration): CedarCheck {
  const parsed = preparsePolicySet("bench", { staticPolicies: config.policies.map(toCedar).join("\n") });
  if (parsed.type === "failure") throw new Error(parsed.errors[0]?.message ?? "Cedar refused the policies");
  return ({ department = null, realm_access = null }, { id, group }) => {
    const tool = { type: "Tool", id };
    const answer = statefulIsAuthorized({
      principal: { type: "Caller", id: "caller" },
      action: { type: "Action", id: "use" },
      resource: tool,
      context: JSON.parse(JSON.stringify({ department, realm_access })),
      preparsedPolicySetId: "bench",
      entities: [
        { uid: tool, attrs: {}, parents: [{ type: "Group", id: group }] },
        { uid: { type: "Group", id: group }, attrs: {}, parents: [] },
      ],
    });
    if (answer.type === "failure") throw new Error(answer.errors[0]?.message ?? "Cedar failed");
    return answer.response.decision === "allow";
  };
}
