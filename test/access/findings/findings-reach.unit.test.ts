import { describe, expect, test } from "vitest";
import { agentWith, caseConfiguration, find, has, inWords, type Given } from "@/test/access/findings-of";

const tools = [
  { id: "x:both", groups: ["a", "b"] },
  { id: "x:a", groups: ["a"] },
  { id: "x:c", groups: ["c"] },
  { id: "x:free" },
  { id: "x:pay", hasSideEffects: true },
  { id: "x:stated", groups: ["default"] },
  { id: "x:also", groups: null },
  { id: "x:off", enabled: false },
];
const groups = [
  { name: "a" },
  { name: "b" },
  { name: "c" },
  { name: "off", active: false, include: [{ tool: "x:c" }] },
  { name: "by-hand", include: [{ tool: "x:also" }] },
  { name: "broken", selectors: [{ name: "regex:(" }] },
];

function configurationWith(policies: readonly Given[], more: object = {}) {
  const rows = policies.map(({ matchers, ...one }, at) => ({
    name: `p${at + 1}`,
    ...(matchers === undefined ? { everyone: true } : { matchers }),
    ...one,
  }));
  return caseConfiguration({ sources: [{ name: "x" }], tools, groups, policies: rows, ...more });
}

const texts = (policies: readonly Given[], kind: Parameters<typeof find>[1]) =>
  inWords(find(configurationWith(policies), kind)).map(({ severity, about, text, refs }) => [
    severity,
    about,
    text,
    ...refs,
  ]);

describe("a deny that withholds nothing", () => {
  const deny = (...named: readonly string[]): Given => ({ effect: "deny", groups: [...named] });

  test("has groups without a tool that a policy grants", () => {
    expect(texts([{ groups: ["c"] }, deny("a", "b")], "denies_nothing")).toEqual([
      ["warning", "policy p2", "`p2` withholds no tool: no policy grants a tool of its groups."],
    ]);
    expect(texts([{ groups: ["off"] }, deny("c")], "denies_nothing")).toHaveLength(1);
    expect(texts([deny("*")], "denies_nothing")).toHaveLength(1);
  });

  test("with arguments affects no call", () => {
    const conditional = { ...deny("b"), arguments: [has("amount", "gt", 1)] } as Given;
    expect(texts([{ groups: ["c"] }, conditional], "denies_nothing")).toEqual([
      ["warning", "policy p2", "`p2` refuses no call: no policy grants a tool of its groups."],
    ]);
  });

  test("is not reported when it denies a granted tool, through any group, whether or not the denied group is active", () => {
    expect(texts([{ groups: ["a"] }, deny("b")], "denies_nothing")).toEqual([]);
    expect(texts([{ groups: ["c"] }, deny("off")], "denies_nothing")).toEqual([]);
    expect(texts([{ groups: ["*"] }, deny("*")], "denies_nothing")).toEqual([]);
  });

  test("is not reported when it names a group in error: it withholds everything, which is another finding", () => {
    expect(texts([{ groups: ["a"] }, deny("broken")], "denies_nothing")).toEqual([]);
    expect(texts([{ groups: ["a"] }, deny("broken")], "grants_empty_group")).toEqual([
      [
        "error",
        "policy p2",
        "`p2` denies `broken`, a group with a pattern that is not valid. The policy therefore denies every tool.",
        "group broken",
      ],
    ]);
  });
});

describe("a tool that nobody can get", () => {
  test("is reported when a deny withholds it from everyone", () => {
    const found = texts([{ groups: ["a", "c"] }, { effect: "deny", groups: ["b"] }], "tool_not_granted");
    expect(found).toContainEqual([
      "info",
      "tool x:both",
      "No caller can see `x:both`: `p2` denies it to every caller.",
      "policy p2",
    ]);
    expect(found.map(([, about]) => about)).not.toContain("tool x:a");
  });

  test("is not reported when a deny withholds it from some, at another time, or for some arguments", () => {
    for (const more of [
      { matchers: [has("role", "equals", "x")] },
      { validFrom: "2030-01-01T00:00:00Z" },
      { arguments: [has("amount", "gt", 1)] },
    ] as readonly Given[])
      expect(
        texts([{ groups: ["a"] }, { effect: "deny", groups: ["b"], ...more }], "tool_not_granted").map(
          ([, about]) => about,
        ),
      ).not.toContain("tool x:both");
  });
});

test("a tool granted only through `default` is reported, unless another group grants it or it is disabled", () => {
  expect(texts([{ groups: ["default", "by-hand"] }], "granted_by_default")).toEqual([
    [
      "warning",
      "tool x:pay",
      "`x:pay` is assigned to no group, so it is in `default`, which `p1` grants.",
      "policy p1",
    ],
    ["info", "tool x:free", "`x:free` is assigned to no group, so it is in `default`, which `p1` grants.", "policy p1"],
  ]);
  expect(texts([{ groups: ["*"] }], "granted_by_default")).toEqual([]);
  expect(texts([{ groups: ["default"], active: false }], "granted_by_default")).toEqual([]);
});

test("an agent that may state the state of a named machine is listed", () => {
  const agents = [
    agentWith({ name: "held", machine: "m" }),
    agentWith({ name: "free", stateHeldByServer: false }),
    agentWith({ name: "stating", machine: "m", stateHeldByServer: false }),
  ];
  const found = find({ ...configurationWith([]), agents }, "state_named_by_agent");
  expect(inWords(found).map(({ severity, about, text, refs }) => [severity, about, text, ...refs])).toEqual([
    [
      "warning",
      "agent free",
      "`free` can set its own state in any named machine. The server does not verify the state.",
    ],
    [
      "warning",
      "agent stating",
      "`stating` can set its own state in `m`. The server does not verify the state.",
      "machine m",
    ],
  ]);
});
