import { selectorInWords } from "@/components/views/rules/selector-words";
import type { Input } from "@/lib/resources";

type Machine = Input<"machines">;

/** A place of a machine's graph. */
export interface GraphNode {
  readonly id: string;
  /** `any`: where transitions from every state begin. `unknown`: a name that a transition uses and no state has. */
  readonly kind: "state" | "any" | "unknown";
  /** As transitions name it; `*` for `any`. */
  readonly name: string;
  readonly colour: string | null;
  readonly initial: boolean;
  readonly terminal: boolean;
}

/** A transition: its place in the machine, and whose calls take it. */
interface GraphMove {
  readonly rule: number;
  readonly transition: number;
  /** The tool's id, or the selector in words. */
  readonly tools: string;
  /** The short form for a label: the operation alone, or the selector in words. */
  readonly short: string;
}

/** All transitions between two places. */
export interface GraphEdge {
  readonly id: string;
  /** Ids of nodes. */
  readonly source: string;
  readonly target: string;
  /** Names of states; `from` is `*` for any state. */
  readonly from: string;
  readonly to: string;
  readonly moves: readonly GraphMove[];
}

/** The graph of a machine, from the same data as its tables. */
export interface MachineGraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

/** The id of the node that a transition names. */
export function nodeId(name: string): string {
  return name === "*" ? "any" : `state ${name}`;
}

/**
 * The graph of a machine, which may be incomplete: states without a name are left out, a name that two states share is
 * drawn once, and a name that no state has becomes an unknown node. The node `any` is drawn when a transition begins in
 * every state, or always with `options.any`.
 */
export function graphOf({ states, initial, rules }: Machine, options: { readonly any: boolean }): MachineGraph {
  const nodes = new Map<string, GraphNode>();
  for (const { name, colour, terminal } of states)
    if (name !== "" && !nodes.has(nodeId(name)))
      nodes.set(nodeId(name), {
        id: nodeId(name),
        kind: "state",
        name,
        colour,
        terminal,
        initial: name === initial,
      });
  const edges = new Map<string, GraphEdge>();
  rules.forEach((rule, ruleIndex) =>
    rule.transitions.forEach(({ from: stated, to }, transition) => {
      const from = stated === "*" ? fromOf(rule) : stated;
      if (from === "" || to === "") return;
      const [source, target] = [nodeId(from), nodeId(to)];
      for (const name of [from, to]) if (!nodes.has(nodeId(name))) nodes.set(nodeId(name), nodeWithoutState(name));
      const id = `${source} → ${target}`;
      const move = { rule: ruleIndex, transition, ...wordsOf(rule) };
      const edge = edges.get(id) ?? { id, source, target, from, to, moves: [] };
      edges.set(id, { ...edge, moves: [...edge.moves, move] });
    }),
  );
  if (options.any && !nodes.has("any")) nodes.set("any", nodeWithoutState("*"));
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/**
 * Where a rule's transition from any state begins. Calls of a tool that is available in one state alone can begin only
 * there.
 */
export function fromOf({ availableIn }: Pick<Machine["rules"][number], "availableIn">): string {
  return availableIn?.length === 1 ? (availableIn[0] ?? "*") : "*";
}

function nodeWithoutState(name: string): GraphNode {
  const kind = name === "*" ? "any" : "unknown";
  return { id: nodeId(name), kind, name, colour: null, initial: false, terminal: false };
}

function wordsOf({ tool, selector }: Machine["rules"][number]): Pick<GraphMove, "tools" | "short"> {
  if (tool !== null) return { tools: tool, short: tool.slice(tool.indexOf(":") + 1) };
  const tools = selector === null ? "no tool" : selectorInWords(selector);
  return { tools, short: tools.replace(/^tools with /, "") };
}
