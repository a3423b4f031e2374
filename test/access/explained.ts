import { compile } from "@/lib/access/compile/compile";
import type { Pause } from "@/lib/access/model/configuration";
import { explain } from "@/lib/access/explain/explain";
import type { Explanation, ResolveRequest, RuleRef } from "@/lib/access/decide/resolution";
import { requestOf } from "@/lib/access/model/request";
import { configurationOf } from "@/test/access/case-configuration";

const NOW = Date.UTC(2026, 2, 31, 12);

/** The input of an explanation: sections of a configuration as a database may hold them, and the request. */
export interface Given {
  readonly tool?: object;
  /** Tools besides `x:t` and `x:a`. */
  readonly others?: readonly object[];
  readonly groups?: readonly object[];
  readonly policies?: readonly object[];
  readonly machines?: readonly object[];
  readonly flows?: readonly object[];
  readonly sources?: readonly object[];
  readonly intents?: readonly object[];
  readonly agents?: readonly object[];
  readonly pauses?: readonly Pause[];
  readonly request?: Partial<ResolveRequest>;
}

/** Explains `x:t`, which is in group `g` and granted to everyone by `p`, with the given changes. */
export function explained(given: Given): Explanation {
  const {
    tool = {},
    others = [],
    groups,
    policies,
    machines,
    flows,
    sources,
    intents,
    agents,
    pauses,
    request,
  } = given;
  const configuration = configurationOf({
    file: "explained",
    name: "",
    configuration: { apiVersion: "quartermaster/v1" },
    stored: {
      sources: sources ?? [{ name: "x" }],
      tools: [{ id: "x:a", groups: [] }, { id: "x:t", groups: ["g"], ...tool }, ...others],
      groups: groups ?? [{ name: "g" }],
      policies: policies ?? [{ name: "p", everyone: true, groups: ["g"] }],
      machines,
      flows,
      intents,
      agents,
    },
    pauses,
  });
  const found = explain(compile(configuration), { ...requestOf({}), ...request }, "x:t", NOW);
  if (found === null) throw new Error("there is no x:t");
  return found;
}

/** Rules as "policy p". */
export const named = (refs: readonly RuleRef[]): readonly string[] => refs.map(({ kind, name }) => `${kind} ${name}`);

/** A policy that matches every caller. */
export const everyone = (name: string, groups: readonly string[], over: object = {}): object => ({
  name,
  everyone: true,
  groups,
  ...over,
});
/** A condition on the arguments of calls. */
export const condition = { claim: "n", operator: "lte", value: 5 };
/** A pause; the target of a pause of everything is `null`. */
export const pause = (scope: Pause["scope"], target: string | null, reason = ""): Pause => ({ scope, target, reason });
/** A machine in whose states `b` and `c` alone `x:t` is available. */
export const machine = {
  name: "m",
  initial: "a",
  states: [{ name: "a" }, { name: "b" }, { name: "c" }],
  rules: [{ tool: "x:t", availableIn: ["b", "c"] }],
};
