import { createMongoAbility, subject, type MongoAbility, type RawRuleOf } from "@casl/ability";
import { permittedFieldsOf } from "@casl/ability/extra";
import type { Configuration, JsonObject } from "@/lib/access/model/configuration";

/** The same decisions made by CASL. */
export interface CaslPeer {
  /** The ids of all visible tools, in one call. */
  readonly list: (claims: JsonObject) => readonly string[];
  readonly check: (claims: JsonObject, tool: string) => boolean;
}

type Rule = RawRuleOf<MongoAbility>;

/**
 * Each policy is one rule on the caller: its matchers are the conditions, the tools of its groups the fields.
 * `permittedFieldsOf` then lists a caller's tools in one call, `can` judges one tool, and nothing is
 * rebuilt per request. Denies come last, so that they win.
 */
export function caslPeer(config: Configuration): CaslPeer {
  const toolsByGroup = new Map<string, string[]>(config.groups.map(({ name }) => [name, []]));
  for (const { id, tags } of config.tools) for (const tag of tags) toolsByGroup.get(tag)?.push(id);
  const rules = config.policies.map((policy): Rule => ({
    action: "use",
    subject: "Caller",
    inverted: policy.effect === "deny",
    conditions: Object.fromEntries(policy.matchers.map((matcher) => [matcher.claim, matcher.value])),
    fields: [...new Set(policy.groups)].flatMap((group) => toolsByGroup.get(group) ?? []),
  }));
  const ability = createMongoAbility(rules.toSorted((left, right) => Number(left.inverted) - Number(right.inverted)));
  const caller = (claims: JsonObject) => subject("Caller", { ...claims });
  return {
    list: (claims) => permittedFieldsOf(ability, "use", caller(claims), { fieldsFrom: (rule) => rule.fields ?? [] }),
    check: (claims, tool) => ability.can("use", caller(claims), tool),
  };
}
