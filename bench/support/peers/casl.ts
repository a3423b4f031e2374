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

/**
 * The same with groups as the fields, which is faster for callers who see many tools: a list expands the permitted
 * groups, a check asks for the groups of one tool. Only for configurations without denies: a denied group's tools must
 * also be withheld from the other groups that hold them.
 */
export function caslByGroup(config: Configuration): CaslPeer {
  if (config.policies.some(({ effect }) => effect === "deny")) throw new Error("Denies need tools as fields.");
  const ids = config.tools.map(({ id }) => id);
  const members = new Map<string, number[]>(config.groups.map(({ name }) => [name, []]));
  config.tools.forEach(({ tags }, number) => tags.forEach((tag) => members.get(tag)?.push(number)));
  const groupsOf = new Map(config.tools.map(({ id, tags }) => [id, tags]));
  const ability = createMongoAbility(
    config.policies.map(({ matchers, groups }): Rule => ({
      action: "use",
      subject: "Caller",
      conditions: Object.fromEntries(matchers.map((matcher) => [matcher.claim, matcher.value])),
      fields: [...groups],
    })),
  );
  const caller = (claims: JsonObject) => subject("Caller", { ...claims });
  // A tool of several permitted groups is listed once: the number of the last list that has it.
  const listedIn = new Float64Array(ids.length);
  let lists = 0;
  return {
    list: (claims) => {
      lists += 1;
      const found: string[] = [];
      const fieldsFrom = (rule: { readonly fields?: string[] | undefined }) => rule.fields ?? [];
      for (const group of permittedFieldsOf(ability, "use", caller(claims), { fieldsFrom }))
        for (const number of members.get(group) ?? []) {
          if (listedIn[number] === lists) continue;
          listedIn[number] = lists;
          found.push(ids[number] ?? "");
        }
      return found;
    },
    check: (claims, tool) => {
      const who = caller(claims);
      return (groupsOf.get(tool) ?? []).some((group) => ability.can("use", who, group));
    },
  };
}
