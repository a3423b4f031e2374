import { describe, expect, test } from "vitest";
import { configurationOf } from "@/bench/support/workload";
import { compile } from "@/lib/access/compile/compile";
import type { Machine, MachineRule } from "@/lib/access/model/configuration";
import { lintMachine as lintInParts, nextState, transitionFinder } from "@/lib/access/compile/machines";
import { atOnce } from "@/lib/access/model/parts";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";

const { tools } = configurationOf({ tools: 3, groups: 1, policies: 0 });
const [first = "", second = "", third = ""] = tools.map(({ id }) => id);
const selector = (name: string) => ({ ...BLANK_SELECTOR, name });
const rule = (over: Partial<MachineRule>): MachineRule => ({
  tool: null,
  selector: null,
  availableIn: null,
  transitions: [],
  ...over,
});
const machine = (...rules: readonly MachineRule[]): Machine => ({
  name: "m",
  description: "",
  initial: "a",
  openStart: false,
  states: ["a", "b", "c"].map((name) => ({ name, description: "", colour: null, terminal: name === "c" })),
  rules,
});
const sound = machine(
  rule({ tool: first, availableIn: ["a"], transitions: [{ from: "a", to: "b" }] }),
  rule({ tool: second, availableIn: ["b"], transitions: [{ from: "*", to: "c" }] }),
);

const lintMachine = (...given: Parameters<typeof lintInParts>) => atOnce(lintInParts(...given));

/** The lint's messages. */
const messagesOf = (given: Machine) => {
  const { errors, warnings } = lintMachine(given, tools);
  return { errors, warnings: warnings.map(({ message }) => message) };
};

describe("linting a machine", () => {
  test("finds nothing in a valid machine", () =>
    expect(lintMachine(sound, tools)).toEqual({ errors: [], warnings: [] }));

  test.each<[string, Machine, "errors" | "warnings", RegExp]>([
    [
      "a transition to an unknown state",
      machine(rule({ tool: first, transitions: [{ from: "a", to: "x" }] })),
      "errors",
      /unknown state `x`/,
    ],
    ["an unknown initial state", { ...sound, initial: "x" }, "errors", /initial state `x`/],
    ["a selector that does not compile", machine(rule({ selector: selector("regex:(") })), "errors", /RE2/],
    ["a state that nothing reaches", machine(...sound.rules.slice(1)), "warnings", /`b` is never reached/],
    ["a dead end", machine(...sound.rules.slice(0, 1)), "warnings", /`b` is a dead end/],
    [
      "a rule that matches no tool",
      machine(...sound.rules, rule({ selector: selector("nothing*") })),
      "warnings",
      /rule 3 matches no tool/,
    ],
    [
      "a rule that an earlier one hides",
      machine(...sound.rules, rule({ selector: selector("*") }), rule({ selector: selector("*") })),
      "warnings",
      /rule 4 matches no tool/,
    ],
    [
      "a transition that no availability allows",
      machine(...sound.rules, rule({ tool: third, availableIn: ["a"], transitions: [{ from: "b", to: "c" }] })),
      "warnings",
      /`b` → `c` starts where its tools are never available/,
    ],
  ])("reports %s", (_name, given, kind, message) => expect(messagesOf(given)[kind].join("\n")).toMatch(message));

  const anywhere = (from: string, to: string) => rule({ tool: first, transitions: [{ from, to }] });

  test.each<[string, Machine, readonly string[], readonly string[]]>([
    [
      "everything that is wrong with a rule, by its number",
      machine(...sound.rules, rule({ tool: third, availableIn: ["a"], transitions: [{ from: "x", to: "y" }] })),
      ["rule 3: unknown state `x`", "rule 3: unknown state `y`"],
      ["rule 3: the transition `x` → `y` starts where its tools are never available"],
    ],
    [
      "an initial state that is none",
      { ...machine(), initial: "x", states: [] },
      ["initial state `x` is not one of the states"],
      [],
    ],
    [
      "a machine without rules",
      machine(),
      [],
      [
        "state `a` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `b` is never reached",
        "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `c` is never reached",
      ],
    ],
    [
      "a transition that stays where it is",
      machine(...sound.rules, rule({ tool: third, transitions: [{ from: "c", to: "c" }] })),
      [],
      [],
    ],
    [
      "a dead end that only moves to itself",
      machine(anywhere("a", "b"), rule({ tool: second, transitions: [{ from: "b", to: "b" }] })),
      [],
      [
        "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `c` is never reached",
      ],
    ],
    [
      "moves of a rule that matches no tool lead nowhere",
      machine(
        ...sound.rules.slice(0, 1),
        rule({ selector: selector("nothing"), transitions: [{ from: "b", to: "c" }] }),
      ),
      [],
      [
        "rule 2 matches no tool",
        "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `c` is never reached",
      ],
    ],
    [
      "a rule for every state by name",
      machine(anywhere("a", "b"), rule({ tool: second, availableIn: ["*"], transitions: [{ from: "*", to: "c" }] })),
      [],
      [],
    ],
    [
      "a dead end beside a way out of another state",
      machine(anywhere("a", "b"), rule({ tool: second, transitions: [{ from: "a", to: "c" }] })),
      [],
      ["state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal"],
    ],
    [
      "what only an unreached state leads to",
      machine(anywhere("b", "c")),
      [],
      [
        "state `a` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `b` is never reached",
        "state `c` is never reached",
      ],
    ],
    [
      "a transition from everywhere that an exact one takes the last state from",
      machine(
        rule({
          tool: first,
          availableIn: ["a"],
          transitions: [
            { from: "*", to: "c" },
            { from: "a", to: "b" },
          ],
        }),
      ),
      [],
      [
        "rule 1: the transition `*` → `c` starts where its tools are never available",
        "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `c` is never reached",
      ],
    ],
    [
      "a machine that is open at the start",
      {
        ...machine(
          rule({ tool: first, availableIn: [], transitions: [{ from: "a", to: "b" }] }),
          rule({ tool: second, availableIn: [], transitions: [{ from: "b", to: "c" }] }),
        ),
        openStart: true,
      },
      [],
      [
        "rule 2: the transition `b` → `c` starts where its tools are never available",
        "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
        "state `c` is never reached",
      ],
    ],
  ])("says %s", (_name, given, errors, warnings) => expect(messagesOf(given)).toEqual({ errors, warnings }));

  test("gives the place of each warning, for the editor", () => {
    const given = machine(
      ...sound.rules.slice(0, 1),
      rule({ tool: third, availableIn: ["a"], transitions: [{ from: "b", to: "c" }] }),
      rule({ selector: selector("nothing*") }),
    );
    expect(lintMachine(given, tools).warnings.map(({ path }) => path)).toEqual([
      "rules[1].transitions[0]",
      "rules[2]",
      "states[1]",
      "states[2]",
    ]);
  });

  test("reports a selector that does not compile, with its rule", () => {
    const broken = machine(...sound.rules, rule({ selector: selector("regex:(") }));
    expect(lintMachine(broken, tools).errors).toEqual([
      expect.stringMatching(/^rule 3: name: not a valid RE2 pattern/),
    ]);
    expect(compile({ ...configurationOf({ tools: 3, groups: 1, policies: 0 }), machines: [broken] }).errors).toEqual([
      expect.stringMatching(/^machine `m`, rule 3: name: not a valid RE2 pattern/),
    ]);
  });

  test("an exact transition takes precedence over `*` for its state", () => {
    const both = machine(
      rule({
        tool: first,
        transitions: [
          { from: "*", to: "a" },
          { from: "a", to: "b" },
          { from: "b", to: "c" },
        ],
      }),
    );
    expect(lintMachine(both, tools).warnings).toEqual([]);
  });

  test("of two transitions from one state only the first applies: no state is reached through the second", () => {
    const transitions = [
      { from: "a", to: "b" },
      { from: "a", to: "c" },
    ];
    expect(messagesOf(machine(rule({ tool: first, transitions }))).warnings).toEqual([
      "state `b` is a dead end: no available tool leaves it. Add a transition, or mark it as terminal",
      "state `c` is never reached",
    ]);
  });

  test("pauses at each tool, because every rule may test every tool", () => {
    const catalogue = Array.from({ length: 500 }, (_, number) => ({ ...tools[0]!, id: `t:${number}` }));
    expect([...lintInParts(sound, catalogue)].length).toBeGreaterThanOrEqual(500);
  });

  test("is fast for any body of 1 MiB, because it blocks other requests", () => {
    const names = Array.from({ length: 200 }, (_, n) => `s${n}`);
    const transitions = names.map((to) => ({ from: "*", to }));
    const largest = {
      ...machine(...names.map((name) => rule({ tool: `${name}:run`, transitions }))),
      initial: "s0",
      states: names.map((name) => ({ name, description: "", colour: null, terminal: false })),
    };
    const catalogue = names.map((name) => ({ ...tools[0]!, id: `${name}:run` }));
    const began = performance.now();
    expect(lintMachine(largest, catalogue).errors).toEqual([]);
    // It once took a minute, when the lint read every move of every transition.
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test("of two rules for one tool the first applies; an unusable rule withholds the tool and changes no state", () => {
  const twice = machine(
    rule({ tool: first, availableIn: ["a"], transitions: [{ from: "*", to: "b" }] }),
    rule({ tool: first, availableIn: ["c"], transitions: [{ from: "*", to: "c" }] }),
    rule({ selector: selector("regex:("), transitions: [{ from: "*", to: "c" }] }),
  );
  const index = compile({ ...configurationOf({ tools: 3, groups: 1, policies: 0 }), machines: [twice] });
  expect(nextState(index, "m", "a", first)).toBe("b");
  expect(nextState(index, "m", "a", second)).toBe("a");
  const statesOf = (number: number) => index.machines.get("m")?.statesOf(index.tools.all[number]!);
  expect([statesOf(0), statesOf(1)]).toEqual([["a"], []]);
});

test("the next state is total: an unknown machine, tool or state changes nothing", () => {
  const index = compile({ ...configurationOf({ tools: 3, groups: 1, policies: 0 }), machines: [sound] });
  expect(nextState(index, "m", "a", first)).toBe("b");
  for (const tool of [first, second]) expect(nextState(index, "m", "nowhere", tool)).toBe("nowhere");
  expect(nextState(index, "m", "a", third)).toBe("a");
  expect(nextState(index, "gone", "a", first)).toBe("a");
  expect(nextState(index, "m", "a", "gone:tool")).toBe("a");
  expect(nextState(index, null, "a", first)).toBe("a");
});

test("the found transition is the one that the next state uses", () => {
  const mixed = machine(
    rule({
      tool: first,
      transitions: [
        { from: "*", to: "c" },
        { from: "a", to: "b" },
      ],
    }),
    rule({ selector: selector("*"), transitions: [{ from: "b", to: "a" }] }),
  );
  const index = compile({ ...configurationOf({ tools: 3, groups: 1, policies: 0 }), machines: [mixed] });
  const find = transitionFinder(mixed);
  for (const tool of index.tools.all)
    for (const state of ["a", "b", "c", "nowhere"]) {
      const found = find(tool, state);
      const to = found === null ? state : mixed.rules[found.rule]?.transitions[found.transition]?.to;
      expect(to, `${tool.id} in ${state}`).toBe(nextState(index, "m", state, tool.id));
    }
  expect(find(index.tools.all[0]!, "a")).toEqual({ rule: 0, transition: 1 });
  expect(find(index.tools.all[1]!, "c")).toBeNull();
});
