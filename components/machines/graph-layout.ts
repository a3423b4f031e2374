import { graphlib, layout } from "@dagrejs/dagre";
import type { GraphEdge, GraphNode, MachineGraph } from "@/components/machines/graph-model";

/** A point of the picture, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The position and size of a node; the position is its upper left corner. */
interface PlacedNode extends GraphNode, Point {
  readonly width: number;
  readonly height: number;
}

/** The course of an edge, and the centre of its label. */
export interface PlacedEdge extends GraphEdge {
  readonly points: readonly Point[];
  readonly label: Point & { readonly width: number; readonly height: number; readonly lines: readonly string[] };
}

/** The widths of the two sizes of type, in pixels a character. */
const NAME_CHARACTER = 7.25;
const LABEL_CHARACTER = 6.7;
const NODE_HEIGHT = 34;
/** The height of a line of a label. */
export const LABEL_LINE = 15;
const MAX_LINES = 3;
const MAX_LINE_LENGTH = 30;

/** Texts in the picture other than names. */
interface Shown {
  /** The text under an edge's tools, or `null`. */
  readonly countOf: (edge: GraphEdge) => string | null;
  /** The width in pixels of the content after a node's name. */
  readonly roomOf: (node: GraphNode) => number;
  /** The picture is narrow, as on a phone: every graph runs downwards. */
  readonly isNarrow?: boolean;
}

/** From this number of nodes on, a graph runs downwards: wide labels make a long row unreadable. */
const MANY = 9;

/**
 * Places a graph from left to right, a large one from top to bottom, so that no label covers a node or another label. The
 * initial state comes first.
 */
export function placeGraph(
  { nodes, edges }: MachineGraph,
  { countOf, roomOf, isNarrow = false }: Shown,
): { readonly nodes: readonly PlacedNode[]; readonly edges: readonly PlacedEdge[] } {
  // Edges have names, because an edge into the initial state lies beside the one out of it.
  const graph = new graphlib.Graph({ multigraph: true });
  const rankdir = nodes.length < MANY && !isNarrow ? "LR" : "TB";
  graph.setGraph({ rankdir, nodesep: 28, ranksep: rankdir === "LR" ? 36 : 28, edgesep: 14, marginx: 8, marginy: 8 });
  for (const node of nodes) graph.setNode(node.id, { width: widthOf(node, roomOf(node)), height: NODE_HEIGHT });
  const labels = new Map(edges.map((edge) => [edge.id, labelOf(edge, countOf(edge))]));
  const first = nodes.find(({ initial }) => initial)?.id;
  const isBack = ({ source, target }: GraphEdge) => target === first && source !== first;
  for (const edge of edges) {
    const [from, to] = isBack(edge) ? [edge.target, edge.source] : [edge.source, edge.target];
    const weight = edge.source === "any" ? 0 : 1;
    graph.setEdge(from, to, { ...labels.get(edge.id), labelpos: "c", weight }, edge.id);
  }
  // A state that only `any` leads to still comes after the initial one.
  for (const { id, kind } of nodes)
    if (
      first !== undefined &&
      id !== first &&
      kind !== "any" &&
      !(graph.predecessors(id) ?? []).some((one) => one !== "any" && one !== id)
    )
      graph.setEdge(first, id, { width: 0, height: 0, weight: 0 }, "order");
  layout(graph);
  return {
    nodes: nodes.map((node) => {
      const { x, y, width, height } = graph.node(node.id) as PlacedNode;
      return { ...node, x: x - width / 2, y: y - height / 2, width, height };
    }),
    edges: edges.map((edge) => {
      const [from, to] = isBack(edge) ? [edge.target, edge.source] : [edge.source, edge.target];
      const placed = graph.edge(from, to, edge.id) as Point & { width: number; height: number; points: Point[] };
      const { x, y, width, height } = placed;
      const points = isBack(edge) ? placed.points.toReversed() : placed.points;
      return { ...edge, points, label: { x, y, width, height, lines: labels.get(edge.id)?.lines ?? [] } };
    }),
  };
}

/** A line through points, bent where they turn, as the `d` of an SVG path. */
export function pathThrough(points: readonly Point[]): string {
  const [first, ...others] = points;
  const last = others.pop();
  if (first === undefined || last === undefined) return "";
  const bends = others.map((point, index) => {
    const next = others[index + 1] ?? last;
    return `Q${point.x} ${point.y} ${(point.x + next.x) / 2} ${(point.y + next.y) / 2}`;
  });
  return [`M${first.x} ${first.y}`, ...bends, `L${last.x} ${last.y}`].join(" ");
}

function widthOf({ kind, name, initial }: GraphNode, room: number): number {
  const text = kind === "any" ? "any state".length : Math.min(name.length, MAX_LINE_LENGTH);
  return Math.max(72, Math.ceil(text * NAME_CHARACTER) + 42 + (initial ? 18 : 0) + room);
}

function labelOf({ moves }: GraphEdge, count: string | null) {
  const shown = moves.length > MAX_LINES ? moves.slice(0, MAX_LINES - 1) : moves;
  const more = moves.length - shown.length;
  const lines = [
    ...shown.map(({ short }) => (short.length > MAX_LINE_LENGTH ? `${short.slice(0, MAX_LINE_LENGTH - 1)}…` : short)),
    ...(more > 0 ? [`and ${more} more`] : []),
    ...(count === null ? [] : [count]),
  ];
  const longest = Math.max(...lines.map((line) => line.length));
  return { lines, width: Math.ceil(longest * LABEL_CHARACTER) + 10, height: lines.length * LABEL_LINE + 4 };
}
