import type { Index } from "@/lib/access/compile/compile";
import { hasBit } from "@/lib/access/model/bitset";
import { raisesOf } from "@/lib/access/model/flow";
import { toFinding, type Finding } from "@/lib/access/findings/finding";

/**
 * Finds active flow rules that restrict nothing or everything, and labels without a definition. Enforced rules are compiled,
 * so only those are compared with the catalogue.
 */
export function findInFlows(index: Index): readonly Finding[] {
  const { config, tools, flows } = index;
  const active = config.flows.filter((rule) => rule.active);
  if (active.length === 0) return [];
  const defined = new Set(config.labels.map(({ name }) => name));
  const raised = new Set(tools.all.flatMap((tool) => raisesOf(tool, config.labels)));
  const ofLabels = active.flatMap((rule) => {
    const about = { kind: "flow" as const, name: rule.name };
    const unknown = rule.when.filter((label) => !defined.has(label));
    const never = rule.when.filter((label) => defined.has(label) && !raised.has(label));
    return [
      ...unknown.map((label) =>
        toFinding({
          kind: "flow_label_unknown",
          about,
          what: label,
          text: `\`${rule.name}\` names the label \`${label}\`, which does not exist.`,
          fix: "Create the label, or remove it from the rule.",
        }),
      ),
      ...never.map((label) =>
        toFinding({
          kind: "flow_never_applies",
          about,
          what: label,
          text: `\`${rule.name}\` applies only to callers that hold \`${label}\`, which no tool raises.`,
          fix: "Open the tools that read such data, and add the label to them. Otherwise deactivate the rule.",
        }),
      ),
    ];
  });
  if (tools.all.length === 0) return ofLabels;
  const ofTools = flows.all.flatMap(({ rule, passing }) => {
    const restricted = tools.all.filter((_tool, number) => !hasBit(passing, number)).length;
    const about = { kind: "flow" as const, name: rule.name };
    if (restricted === 0)
      return toFinding({
        kind: "flow_restricts_nothing",
        about,
        text: `\`${rule.name}\` restricts no tool of the catalogue.`,
        fix: "Add the class to the tools that it means, or correct the restrictions.",
      });
    if (restricted < tools.all.length || rule.effect !== "hide") return [];
    return toFinding({
      kind: "flow_hides_everything",
      about,
      text: `\`${rule.name}\` hides all ${tools.all.length.toLocaleString("en")} tools from callers that hold its labels.`,
      fix: "Restrict only the tools that must not be called. To stop everything, pause the agent.",
    });
  });
  return [...ofLabels, ...ofTools];
}
