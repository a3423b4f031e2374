import { describe, expect, it } from "vitest";
import { profileAllows, profiles } from "@/lib/access/compile/profiles";
import { definitionHash } from "@/lib/config/definition-hash";
import { builtinTools } from "@/lib/calls/builtin/index";

/**
 * The tools in code with their reviewed definition (the first 16 digits of its hash). An added, renamed or changed tool
 * fails here. For code this replaces accepting drift (docs/reference/decision.md#profile).
 */
const DEFINITIONS: Readonly<Record<string, string>> = {
  "builtin:calculate": "82b3eaf350b0fa84",
  "builtin:current_date_time": "0c8af4fb13185924",
  "builtin:json_query": "322287d58e8a2b70",
  "builtin:search_tools": "8b25bd3b0b9972f8",
  "builtin:simple_calculator": "84fd046601be9b49",
  "support:add_note": "d87ea00379cb090d",
  "support:close_ticket": "aa74492d3658eefc",
  "support:escalate_ticket": "cc4707df43a09799",
  "support:get_order": "2270253008bc1c83",
  "support:list_orders": "0b392eb91ff1dfe6",
  "support:lookup_customer": "8541888fb0751854",
  "support:refund_order": "852f353bbba2c14a",
  "support:search_knowledge": "e6fec88c809081cb",
};

/**
 * The tools in code that each profile allows and denies. An added, renamed or moved tool fails here until somebody
 * reviews it under every profile. For code this replaces accepting drift (docs/reference/decision.md#profile).
 */
const REVIEWED: Readonly<Record<string, { readonly allowed: readonly string[]; readonly denied: readonly string[] }>> =
  {
    main: { allowed: everything(), denied: [] },
    subagent: { allowed: everything(), denied: [] },
    scheduled: { allowed: everything(), denied: [] },
    "a2a-synthesis": { allowed: everything(), denied: [] },
  };

function everything(): readonly string[] {
  return Object.keys(DEFINITIONS);
}

describe("the tools in code", () => {
  it("were reviewed under every profile", () => {
    expect([...profiles.keys()].toSorted()).toEqual(Object.keys(REVIEWED).toSorted());
  });

  it("have the reviewed definitions", () => {
    const now = builtinTools().map((tool) => [tool.id, definitionHash(tool).slice(0, 16)]);
    expect(Object.fromEntries(now)).toEqual(DEFINITIONS);
  });

  it.each([...profiles.values()].map((profile) => [profile.name, profile] as const))(
    "are let through by `%s` exactly as reviewed",
    (name, profile) => {
      const allowed: string[] = [];
      const denied: string[] = [];
      for (const { id, source, operation } of builtinTools())
        (profileAllows(profile, source, operation) ? allowed : denied).push(id);
      expect({ allowed: allowed.toSorted(), denied: denied.toSorted() }).toEqual(REVIEWED[name]);
    },
  );
});
