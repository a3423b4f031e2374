import { describe, expect, it } from "vitest";
import { claimsOfPolicy } from "@/components/preview/inputs/claims-of-policy";
import { toolsInWords } from "@/components/views/rules/policy-sentence";
import { compileMatcher } from "@/lib/access/matching/compiled-matcher";
import { matcherInput } from "@/lib/resources/parts/matcher";

const claimsFor = (...matchers: readonly object[]) =>
  claimsOfPolicy({ everyone: false, matchers: matchers.map((matcher) => matcherInput.parse(matcher)) });

describe("the claims of a policy", () => {
  it("meet each condition that names a value, as the resolver tests it", () => {
    const conditions = [
      { claim: "team", operator: "equals", value: "billing" },
      { claim: "can_refund", operator: "equals", value: true },
      { claim: "tags", operator: "contains", value: "vip" },
      { claim: "plan", operator: "in", value: ["gold", "silver"] },
      { claim: "groups", operator: "contains_any", value: ["ops", "sre"] },
      { claim: "roles", operator: "contains_all", value: ["lead", "finance"] },
      { claim: "scope", operator: "has_scope", value: "orders:read" },
      { claim: "manager", operator: "exists" },
    ];
    const claims = claimsFor(...conditions);
    expect(Object.keys(claims ?? {})).toEqual(conditions.map(({ claim }) => claim));
    const outcomes = conditions.map((condition) => compileMatcher(matcherInput.parse(condition)).test(claims ?? {}, 0));
    expect(outcomes).toEqual(conditions.map(() => "match"));
  });

  it("are unknown when a condition names no value, looks deeper, or asks twice for one claim", () => {
    const team = { claim: "team", operator: "equals", value: "billing" };
    expect(claimsFor(team, { claim: "region", operator: "starts_with", value: "eu-" })).toBeNull();
    expect(claimsFor(team, { claim: "realm_access.roles", operator: "contains", value: "lead" })).toBeNull();
    expect(claimsFor(team, { claim: "team", operator: "in", value: ["billing", "sales"] })).toBeNull();
  });

  it("are none for a policy for everyone", () => {
    expect(claimsOfPolicy({ everyone: true, matchers: [] })).toBeNull();
  });
});

describe("the tools of a policy", () => {
  const tools = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `crm:${from + at}`);

  it("are counted beyond the first page of a group", () => {
    expect(toolsInWords([{ ids: tools(0, 500), total: 1204 }])).toMatch(/^Now 1,204 tools: .* and 1,199 more\.$/);
  });

  it("of several groups count each shared tool once, or are a lower bound", () => {
    expect(
      toolsInWords([
        { ids: tools(0, 3), total: 3 },
        { ids: tools(2, 4), total: 2 },
      ]),
    ).toBe("Now 4 tools: `crm:0`, `crm:1`, `crm:2`, `crm:3`.");
    expect(
      toolsInWords([
        { ids: tools(0, 500), total: 1204 },
        { ids: tools(2, 4), total: 2 },
      ]),
    ).toMatch(/^Now at least 1,204 tools: /);
  });
});
