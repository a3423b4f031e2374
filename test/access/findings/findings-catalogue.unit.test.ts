import { describe, expect, test } from "vitest";
import { compile } from "@/lib/access/compile/compile";
import { findHiddenTexts } from "@/lib/access/findings/catalogue";
import type { FindingKind } from "@/lib/access/findings/finding";
import { findFindingsInParts } from "@/lib/access/findings/findings";
import { atOnce } from "@/lib/access/model/parts";
import {
  agentWith,
  caseConfiguration,
  find,
  inWords,
  NOW,
  withPolicies,
  world,
  type Given,
} from "@/test/access/findings-of";

const inWorld = (sections: object, ...kinds: readonly FindingKind[]) =>
  inWords(find(caseConfiguration({ ...world, ...sections }), ...kinds));

describe("a policy's groups", () => {
  const found = (policy: Given, groups: readonly object[] = []) =>
    inWords(
      find(
        { ...withPolicies(policy), groups: caseConfiguration({ groups: [...world.groups, ...groups] }).groups },
        "grants_missing_group",
        "grants_inactive_group",
        "grants_empty_group",
      ),
    ).map(({ severity, about, what, text, fix, refs }) => [severity, about, what, text, fix, ...refs]);

  test("are reported when missing, inactive or empty", () => {
    const empty = [{ name: "empty" }];
    expect(found({ groups: ["*", "readers", "nowhere", "(ungrouped)", "off", "empty", "default"] }, empty)).toEqual([
      [
        "error",
        "policy p1",
        "(ungrouped)",
        "`p1` grants `(ungrouped)`, a group that does not exist.",
        'Grant `"*"` to reach tools that are in no group.',
      ],
      [
        "error",
        "policy p1",
        "nowhere",
        "`p1` grants `nowhere`, a group that does not exist.",
        "Create the group, or remove it from the policy.",
      ],
      [
        "warning",
        "policy p1",
        "off",
        "`p1` grants `off`, which is inactive and grants no tools.",
        "Activate `off`, or remove it from the policy.",
        "group off",
      ],
      [
        "warning",
        "policy p1",
        "default",
        "`p1` grants `default`, which has no tools.",
        "Add tools to `default`, or remove it from the policy.",
      ],
      [
        "warning",
        "policy p1",
        "empty",
        "`p1` grants `empty`, which has no tools.",
        "Add tools to `empty`, or remove it from the policy.",
        "group empty",
      ],
    ]);
  });

  test("may be inactive in a deny, but not missing or empty", () => {
    expect(found({ effect: "deny", groups: ["nowhere", "off", "default"] }).map(([, , , text]) => text)).toEqual([
      "`p1` denies `nowhere`, a group that does not exist.",
      "`p1` denies `default`, which has no tools.",
    ]);
  });

  test("are ignored in an inactive policy", () => {
    expect(found({ active: false, groups: ["nowhere"] })).toEqual([]);
  });
});

describe("a group", () => {
  const groups = (given: object, ...kinds: readonly FindingKind[]) =>
    inWorld({ groups: [{ name: "g", ...given }] }, ...kinds).map(({ severity, about, what, text, fix, refs }) => [
      severity,
      about,
      what,
      text,
      fix,
      ...refs,
    ]);

  test.each<[object, readonly string[]]>([
    [{}, ["warning", "group g", "", "`g` has no tools.", "Add selectors or tools, or delete the group."]],
    [
      { selectors: [{ requiredTags: ["r"] }, { requiredTags: ["w"] }] },
      [
        "warning",
        "group g",
        "selectors",
        "No tool matches all 2 selectors of `g`, although each selector matches some.",
        "A tool must match every selector. Widen a selector, or create two groups.",
      ],
    ],
    [
      { selectors: [{ requiredTags: ["r"] }, { source: "y" }] },
      [
        "warning",
        "group g",
        "selector 2",
        "No tool matches selector 2 of `g`.",
        "Widen the selector. Its near misses show which tools almost match.",
      ],
    ],
    [
      { selectors: [{ source: "y" }, { requiredTags: ["r"] }] },
      [
        "warning",
        "group g",
        "selector 1",
        "No tool matches selector 1 of `g`.",
        "Widen the selector. Its near misses show which tools almost match.",
      ],
    ],
  ])("that selects nothing is reported with the failing selector: %j", (given, finding) =>
    expect(groups(given, "group_selects_nothing")).toEqual([finding]),
  );

  test("whose pattern does not compile is reported, without its exclusions", () => {
    const broken = { selectors: [{ name: "regex:(" }], exclude: [{ tool: "x:gone" }] };
    expect(groups(broken, "group_selects_nothing", "exclusion_hits_nothing")).toEqual([
      [
        "error",
        "group g",
        "",
        expect.stringMatching(
          /^`g` is empty, because a pattern is not valid \(group `g`, selector 1: name: not a valid RE2/,
        ),
        "Correct the pattern.",
      ],
    ]);
  });

  test("with a tool is not reported", () => {
    expect(groups({ include: [{ tool: "x:read" }] }, "group_selects_nothing")).toEqual([]);
    expect(groups({ selectors: [{ name: "read" }] }, "group_selects_nothing")).toEqual([]);
  });

  test("with a useless exclusion is reported, and the text says whether the tool exists", () => {
    const exclude = [{ tool: "x:gone" }, { tool: "x:read" }, { tool: "x:write" }];
    const fix = "Remove the exclusion, or correct the name of the tool.";
    expect(groups({ include: [{ tool: "x:read" }], exclude }, "exclusion_hits_nothing")).toEqual([
      ["warning", "group g", "x:gone", "`g` excludes `x:gone`, a tool that does not exist.", fix],
      [
        "warning",
        "group g",
        "x:write",
        "`g` excludes `x:write`, which is not a member in any case.",
        fix,
        "tool x:write",
      ],
    ]);
  });
});

test("an unreachable state is reported with its machine", () => {
  const rules = [
    {
      tool: "x:read",
      transitions: [
        { from: "a", to: "b" },
        { from: "c", to: "c" },
      ],
    },
  ];
  const machines = [{ name: "m", initial: "a", states: [{ name: "a" }, { name: "b" }, { name: "c" }], rules }];
  expect(inWorld({ machines }, "state_never_entered")).toEqual([
    {
      kind: "state_never_entered",
      severity: "warning",
      about: "machine m",
      what: "c",
      text: "No transition of `m` enters the state `c`.",
      fix: "Add a transition to it, or remove the state.",
      refs: [],
    },
  ]);
});

test("a tool whose states no tool leads to is reported with the states", () => {
  const tools = [
    { id: "x:waits", availableInStates: ["far", "away"] },
    { id: "x:reached", availableInStates: ["near", "far"], state: "near" },
    { id: "x:start", availableInStates: ["undefined"] },
    { id: "x:always", availableInStates: ["*"] },
    { id: "x:never", availableInStates: [] },
    { id: "x:free" },
  ];
  expect(inWorld({ tools }, "state_never_entered")).toEqual([
    {
      kind: "state_never_entered",
      severity: "info",
      about: "tool x:waits",
      what: "far, away",
      text: "`x:waits` is available only in `far`, `away`, but no call leads there. Only callers that set their own state can use the tool.",
      fix: "Add a transition to the state, or make the tool available in another state.",
      refs: [],
    },
  ]);
});

test("a tool with hidden characters in its texts is reported with the characters", () => {
  const hiding = "Fine.\u{E0049}\u{E0047}\u202E\u200B";
  const tools = [
    { id: "x:told", description: hiding },
    { id: "x:deep", inputSchema: { type: "object", properties: { a: { description: "A\u202E" } } } },
    { id: "x:fine", description: "Fine 👩‍🚀" },
  ];
  const kept = "but property names, patterns and values of `enum` and `const` keep theirs.";
  expect(inWorld({ tools }, "hidden_text").map(({ about, severity, text }) => [about, severity, text])).toEqual([
    [
      "tool x:deep",
      "warning",
      `\`x:deep\` has hidden characters in its texts: U+202E. Agents get its texts without them, ${kept}`,
    ],
    [
      "tool x:told",
      "warning",
      `\`x:told\` has hidden characters in its texts: U+E0049, U+E0047, U+202E …. Agents get its texts without them, ${kept}`,
    ],
  ]);
});

test("hidden characters are searched with a pause before each tool, and once while the tool stays the same", () => {
  const count = 50;
  const ids = Array.from({ length: count }, (_, at) => ({ id: `x:t${at}`, description: "Текст" }));
  const index = compile(caseConfiguration({ ...world, tools: ids }));
  let reads = 0;
  const all = index.tools.all.map(({ description, ...tool }) => ({
    ...tool,
    get description() {
      reads += 1;
      return description;
    },
  }));
  const catalogue = { ...index, tools: { ...index.tools, all } };
  expect([...findHiddenTexts(catalogue)]).toHaveLength(count);
  atOnce(findHiddenTexts(catalogue));
  expect(reads).toBe(count);
  // The tools that no policy grants are searched with as many pauses.
  expect([...findFindingsInParts(index, NOW)].length).toBeGreaterThanOrEqual(2 * count);
});

test("a profile that an agent names is reported once, with its entries without a tool", () => {
  const tools = [{ id: "subagent:x" }, { id: "x:mcp_register_server" }];
  const sources = [{ name: "x" }, { name: "subagent" }];
  const configuration = caseConfiguration({ ...world, tools, sources });
  expect(find(configuration, "profile_entry_unused")).toEqual([]);
  const agents = ["a2a-synthesis", "scheduled", "subagent"].map((profile) => agentWith({ name: profile, profile }));
  const found = inWords(find({ ...configuration, agents }, "profile_entry_unused"));
  expect(found.map(({ about, what }) => [about, what])).toEqual([
    ["profile a2a-synthesis", "denies the source a2a"],
    ["profile scheduled", "denies the operation mcp_unregister_server"],
    ["profile subagent", "denies the operations cancel_scheduled_task, mcp_unregister_server"],
  ]);
  expect(found[0]).toMatchObject({
    severity: "info",
    text: "The profile `a2a-synthesis` denies the source `a2a`, which no tool has.",
    fix: "Nothing to do. The profile is part of Quartermaster; the entry applies once such a tool exists.",
    refs: [],
  });
});
