import { describe, expect, test } from "vitest";
import { pathThrough, placeGraph } from "@/components/machines/graph-layout";
import { graphOf } from "@/components/machines/graph-model";
import { addState, addTransition, removeTransitions } from "@/components/machines/machine-edits";
import type { Input } from "@/lib/resources";
import { machineInput } from "@/lib/resources/machine";

const desk = machineInput.parse({
  name: "desk",
  initial: "triage",
  states: [{ name: "triage", colour: "blue" }, { name: "working" }, { name: "done", terminal: true }],
  rules: [
    { tool: "support:lookup", availableIn: ["triage"], transitions: [{ from: "triage", to: "working" }] },
    {
      selector: { name: "get_*" },
      transitions: [
        { from: "triage", to: "working" },
        { from: "*", to: "triage" },
      ],
    },
    { tool: "support:close", availableIn: ["working"], transitions: [{ from: "working", to: "done" }] },
  ],
});
const drawn = (machine: Input<"machines">, any = false) => graphOf(machine, { any });

describe("the graph of a machine", () => {
  test("has a node for each state, and an edge for each pair of states with the tools whose calls take it", () => {
    const { nodes, edges } = drawn(desk);
    expect(nodes.map(({ kind, name, initial, terminal }) => [kind, name, initial, terminal])).toEqual([
      ["state", "triage", true, false],
      ["state", "working", false, false],
      ["state", "done", false, true],
      ["any", "*", false, false],
    ]);
    expect(edges.map(({ from, to, moves }) => [from, to, moves.map(({ short }) => short)])).toEqual([
      ["triage", "working", ["lookup", "operation get_*"]],
      ["*", "triage", ["operation get_*"]],
      ["working", "done", ["close"]],
    ]);
    expect(edges[1]?.moves).toMatchObject([{ rule: 1, transition: 1, tools: "tools with operation get_*" }]);
  });

  test("shows a missing state as unknown, and leaves out a state without a name", () => {
    const half = { ...desk, states: [...desk.states.slice(0, 2), { ...desk.states[0]!, name: "" }] };
    expect(drawn(half).nodes.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      "state triage",
      "state working",
      "any *",
      "unknown done",
    ]);
  });

  test("has a node for any state where transitions can be drawn from it", () => {
    const still = { ...desk, rules: [] };
    expect(drawn(still).nodes).toHaveLength(3);
    expect(drawn(still, true).nodes.at(-1)).toMatchObject({ kind: "any", id: "any" });
  });

  test("a state named `any` is another node than any state", () => {
    const starred = { ...desk, states: [...desk.states, { ...desk.states[0]!, name: "any" }] };
    const ids = drawn(starred).nodes.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("its layout", () => {
  const forty = machineInput.parse({
    name: "forty",
    initial: "s0",
    states: Array.from({ length: 40 }, (_, index) => ({ name: `s${index}`, terminal: index === 39 })),
    rules: Array.from({ length: 39 }, (_, index) => ({
      tool: `kb:step_${index}`,
      transitions: [
        { from: `s${index}`, to: `s${index + 1}` },
        ...(index % 5 === 0 ? [{ from: `s${index + 1}`, to: `s${Math.max(0, index - 3)}` }] : []),
      ],
    })),
  });
  interface Box {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }
  const overlap = (one: Box, other: Box) =>
    Math.abs(one.x - other.x) * 2 < one.width + other.width &&
    Math.abs(one.y - other.y) * 2 < one.height + other.height;

  test.each([
    ["three states", desk],
    ["forty states", forty],
  ])("of %s covers no state and no label with another", (_name, machine) => {
    const { nodes, edges } = placeGraph(drawn(machine, true), { countOf: () => "12 in 24 h", roomOf: () => 40 });
    const boxes: Box[] = [
      ...nodes.map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2, width, height })),
      ...edges.map(({ label }) => label),
    ];
    const covering = boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => overlap(one, other)));
    expect(boxes.length).toBeGreaterThan(machine.states.length);
    expect(covering).toEqual([]);
  });

  test("runs to the right while a row can be read, and downwards in a large graph", () => {
    const along = (machine: Input<"machines">) => {
      const { nodes } = placeGraph(drawn(machine), { countOf: () => null, roomOf: () => 0 });
      const [first, second] = nodes;
      return { right: second!.x - first!.x, down: second!.y - first!.y };
    };
    expect(along(desk).right).toBeGreaterThan(Math.abs(along(desk).down));
    expect(along(forty).down).toBeGreaterThan(Math.abs(along(forty).right));
  });

  test("begins with the initial state, also when any state leads on and calls lead back", () => {
    const back = machineInput.parse({
      name: "back",
      initial: "start",
      states: [{ name: "start" }, { name: "looked-up" }, { name: "other" }],
      rules: [
        { tool: "h:get", transitions: [{ from: "*", to: "looked-up" }] },
        { tool: "h:refund", availableIn: ["looked-up"], transitions: [{ from: "looked-up", to: "start" }] },
        { tool: "h:reset", transitions: [{ from: "*", to: "start" }] },
      ],
    });
    const { nodes, edges } = placeGraph(drawn(back), { countOf: () => null, roomOf: () => 0 });
    const [start, ...others] = nodes;
    for (const { kind, x } of others)
      expect(x).toBeGreaterThanOrEqual(start!.x + (kind === "state" ? start!.width : 0));
    // An edge still runs from its source to its target.
    const refund = edges.find(({ from, to }) => from === "looked-up" && to === "start");
    expect(refund!.points.at(-1)!.x).toBeLessThan(refund!.points[0]!.x);
  });

  test("says the first tools of an edge, how many more there are, and the count", () => {
    const rules = Array.from({ length: 5 }, (_, index) => ({
      tool: `kb:step_${index}`,
      transitions: [{ from: "triage", to: "done" }],
    }));
    const busy = machineInput.parse({ ...desk, rules });
    const { edges } = placeGraph(drawn(busy), { countOf: () => "1,204 in 24 h", roomOf: () => 0 });
    expect(edges[0]?.label.lines).toEqual(["step_0", "step_1", "and 3 more", "1,204 in 24 h"]);
  });

  test("draws a line through two points straight, and bends it where it turns", () => {
    const [a, b, c] = [
      { x: 0, y: 0 },
      { x: 10, y: 0 },
      { x: 10, y: 10 },
    ] as const;
    expect(pathThrough([a, b])).toBe("M0 0 L10 0");
    expect(pathThrough([a, b, c])).toBe("M0 0 Q10 0 10 5 L10 10");
    expect(pathThrough([])).toBe("");
  });
});

describe("an edit of the graph", () => {
  test("a state gets the first name that is free", () => {
    const once = addState({ ...desk, states: [...desk.states, { ...desk.states[0]!, name: "state-5" }] });
    expect(once.name).toBe("state-6");
    expect(once.machine.states.at(-1)).toMatchObject({ name: "state-6", terminal: false });
  });

  test("a transition of a tool without a rule makes it available where it begins", () => {
    const added = addTransition(desk, { tool: "kb:query", from: "working", to: "triage" });
    expect(added.rules.at(-1)).toEqual({
      tool: "kb:query",
      selector: null,
      availableIn: ["working"],
      transitions: [{ from: "working", to: "triage" }],
    });
    expect(addTransition(desk, { tool: "kb:query", from: "*", to: "triage" }).rules.at(-1)?.availableIn).toBeNull();
  });

  test("a tool with a rule keeps it, becomes available there too, and has one way out of a state", () => {
    const more = addTransition(desk, { tool: "support:lookup", from: "working", to: "done" });
    expect(more.rules).toHaveLength(desk.rules.length);
    expect(more.rules[0]).toMatchObject({
      availableIn: ["triage", "working"],
      transitions: [
        { from: "triage", to: "working" },
        { from: "working", to: "done" },
      ],
    });
    const other = addTransition(more, { tool: "support:lookup", from: "working", to: "triage" });
    expect(other.rules[0]).toMatchObject({
      availableIn: ["triage", "working"],
      transitions: [
        { from: "triage", to: "working" },
        { from: "working", to: "triage" },
      ],
    });
  });

  test("transitions go by their place, and their rules stay", () => {
    const [edge] = drawn(desk).edges;
    const without = removeTransitions(desk, edge?.moves ?? []);
    expect(without.rules.map(({ transitions }) => transitions)).toEqual([
      [],
      [{ from: "*", to: "triage" }],
      [{ from: "working", to: "done" }],
    ]);
    expect(without.rules[2]).toBe(desk.rules[2]);
  });
});
