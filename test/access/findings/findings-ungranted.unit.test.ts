import { describe, expect, test } from "vitest";
import { caseConfiguration, find, inWords, withPolicies, world, type Given } from "@/test/access/findings-of";

describe("a tool that nobody can get is reported with the reason", () => {
  const tools = (given: readonly object[], policies: readonly Given[], sections: object = {}) => {
    const configuration = caseConfiguration({
      sources: [{ name: "x" }, { name: "y", enabled: false }],
      ...sections,
      tools: given,
    });
    return inWords(find({ ...configuration, policies: withPolicies(...policies).policies }, "tool_not_granted")).map(
      ({ severity, about, text, refs }) => [severity, about, text, ...refs],
    );
  };
  const groups = [{ name: "g" }, { name: "h" }, { name: "off", active: false }];

  test("nothing is granted", () => {
    expect(tools([{ id: "x:t", groups: ["g"] }], [], { groups })).toEqual([
      ["info", "tool x:t", "No caller can see `x:t`: no policy grants any group.", "group g"],
    ]);
  });

  test("and the fix", () => {
    const [found] = inWords(find(caseConfiguration({ ...world, policies: [] }), "tool_not_granted"));
    expect(found?.fix).toBe("Add the tool to a granted group, grant one of its groups, or disable the tool.");
  });

  test("it is in no group, or in none that is granted", () => {
    const given = [
      { id: "x:both", groups: ["g", "off", "default"] },
      { id: "x:none", groups: [] },
      { id: "x:default" },
      { id: "x:granted", groups: ["h", "g"] },
    ];
    expect(tools(given, [{ groups: ["h", "off"] }], { groups })).toEqual([
      [
        "info",
        "tool x:both",
        "No caller can see `x:both`: no policy grants `default` or `g` or `off`.",
        "group g",
        "group off",
      ],
      ["info", "tool x:default", "No caller can see `x:default`: no policy grants `default`."],
      ["info", "tool x:none", "No caller can see `x:none`: it is in no group, and no policy grants everything."],
    ]);
  });

  test("disabled tools are not reported", () => {
    const given = [
      { id: "x:off", enabled: false },
      { id: "x:gone", status: "deprecated" },
      { id: "x:held", status: "quarantined" },
      { id: "y:t" },
      { id: "z:t" },
    ];
    expect(tools(given, [], { groups })).toEqual([]);
  });

  test("a policy that never applies, or denies, grants nothing", () => {
    const given = [{ id: "x:t", groups: ["g"] }];
    const idle: readonly Given[] = [
      { groups: ["g"], active: false },
      { groups: ["g"], validUntil: "2026-01-01T00:00:00Z" },
      { groups: ["g"], effect: "deny" },
    ];
    expect(tools(given, idle, { groups })).toHaveLength(1);
    expect(tools(given, [{ groups: ["g"], validFrom: "2027-01-01T00:00:00Z" }], { groups })).toEqual([]);
  });
});
