import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { findIdleAgents } from "@/lib/access/findings/exposure";
import { caseConfiguration, find, has, inWords, type Given } from "@/test/access/findings-of";

const tools = [
  { id: "x:read", groups: ["a"] },
  { id: "x:pay", groups: ["a"], hasSideEffects: true },
  { id: "x:off", groups: ["a"], hasSideEffects: true, enabled: false },
];

function configurationWith(...policies: readonly Given[]) {
  const rows = policies.map(({ matchers, ...one }, at) => ({
    name: `p${at + 1}`,
    ...(matchers === undefined ? { everyone: true } : { matchers }),
    groups: ["a"],
    ...one,
  }));
  return caseConfiguration({ sources: [{ name: "x" }], tools, groups: [{ name: "a" }], policies: rows });
}

const texts = (configuration: ReturnType<typeof configurationWith>, kind: Parameters<typeof find>[1]) =>
  inWords(find(configuration, kind)).map(({ severity, text }) => [severity, text]);

describe("tools with side effects for callers that nothing identifies", () => {
  const anyone = (...policies: readonly Given[]) => texts(configurationWith(...policies), "side_effects_for_anyone");

  test("are reported for everyone, and for matchers that ask no value about the caller", () => {
    expect(anyone({})).toEqual([["error", "`p1` grants tools with side effects to every caller: `x:pay`."]]);
    for (const matcher of [has("aud", "equals", "us"), has("team", "not_equals", "ops"), has("sub", "exists")])
      expect(anyone({ matchers: [matcher] })).toEqual([
        ["error", "`p1` grants tools with side effects to unidentified callers: `x:pay`."],
      ]);
  });

  test("are not reported for a claim about the caller, nor when a deny withholds them from everyone", () => {
    expect(anyone({ matchers: [has("aud", "equals", "us"), has("team", "equals", "ops")] })).toEqual([]);
    expect(anyone({}, { effect: "deny" })).toEqual([]);
  });
});

test("a grant of everything is reported", () => {
  const given = configurationWith({ groups: ["*"], matchers: [has("team", "equals", "ops")] }, {});
  expect(texts(given, "grants_everything")).toEqual([
    ["warning", "`p1` grants every tool, including tools that are imported later."],
  ]);
});

test("an idle agent is reported while it is registered", () => {
  const configuration = caseConfiguration({});
  const old = { name: "old" } as (typeof configuration)["agents"][number];
  const index = { ...compile(configuration), config: { ...configuration, agents: [old] } };
  expect(inWords(findIdleAgents(index, ["gone", "old"]))).toMatchObject([
    { kind: "agent_idle", about: "agent old", text: "`old` has made no call for 90 days." },
  ]);
});
