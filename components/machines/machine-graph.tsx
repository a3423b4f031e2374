import "@xyflow/react/dist/base.css";
import {
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
  type EdgeChange,
  type NodeChange,
  type Rect,
  type Transform,
} from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { useEffect, useMemo, useRef, type Dispatch, type SetStateAction } from "react";
import { placeGraph } from "@/components/machines/graph-layout";
import { graphOf, nodeId } from "@/components/machines/graph-model";
import { GraphState, nodeInWords, type ShownNode, type StateNode } from "@/components/machines/graph-state";
import {
  edgeInWords,
  GraphTransition,
  type ShownEdge,
  type TransitionEdge,
} from "@/components/machines/graph-transition";
import type { ActivityOf } from "@/components/machines/use-machine-activity";
import type { Step } from "@/components/machines/use-simulation";
import { IconButton } from "@/components/ui/button";
import type { Input } from "@/lib/resources";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface MachineGraphProps {
  machine: Input<"machines">;
  activity: ActivityOf;
  warnings: readonly Warning[];
  /** A simulation on the graph: its state, and the last call that changed it. */
  simulated?: { readonly state: string; readonly last: Step | undefined } | undefined;
  /** The id of a node or an edge. */
  selected?: string | null | undefined;
  onSelect?: Dispatch<SetStateAction<string | null>> | undefined;
  /** A transition was drawn between two states, named as transitions name them. Absent: nothing is edited. */
  onConnect?: ((from: string, to: string) => void) | undefined;
  /** Called when Delete is pressed on the selection. */
  onDelete?: (() => void) | undefined;
}

const NODE_TYPES = { state: GraphState };
const EDGE_TYPES = { transition: GraphTransition };
const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.1 };
/** Pixels below which no graph fits from left to right. */
const NARROW = 480;
const WORDS = {
  "node.a11yDescription.default": "Press Enter to select it.",
  "edge.a11yDescription.default": "Press Enter to select it.",
};

/** The graph of a state machine with an automatic layout: states, and transitions labelled with their tools. */
export function MachineGraph(props: MachineGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ selected = null, onSelect, onConnect, onDelete, ...shown }: MachineGraphProps) {
  const edits = onConnect !== undefined;
  const isNarrow = useStore(({ width }) => width > 0 && width < NARROW);
  const { nodes, edges } = useShown({ ...shown, isNarrow }, edits, selected);
  const placed = nodes.map(({ id, position }) => `${id} ${position.x} ${position.y}`).join();
  const select = (changes: readonly (NodeChange<StateNode> | EdgeChange<TransitionEdge>)[]) => {
    const chosen = changes.filter((change) => change.type === "select");
    const next = chosen.findLast((change) => change.selected);
    if (next !== undefined) onSelect?.(next.id);
    // React Flow reports nodes and edges separately. A loss of one may come after a selection of the other.
    else onSelect?.((now) => (chosen.some(({ id }) => id === now) ? null : now));
  };
  return (
    <ReactFlow
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      edgeTypes={EDGE_TYPES}
      onNodesChange={select}
      onEdgesChange={select}
      onConnect={({ source, target }) => onConnect?.(nameOf(nodes, source), nameOf(nodes, target))}
      isValidConnection={({ source, target }) => source !== target && target !== "any"}
      connectionDragThreshold={6}
      connectionLineStyle={{ stroke: "var(--accent)", strokeWidth: 1.5 }}
      connectOnClick={false}
      nodesConnectable={edits}
      nodesDraggable={false}
      nodesFocusable={onSelect !== undefined}
      edgesFocusable={onSelect !== undefined}
      elementsSelectable={onSelect !== undefined}
      multiSelectionKeyCode={null}
      selectionKeyCode={null}
      deleteKeyCode={null}
      onKeyDown={({ key, target }) => {
        const inField = target instanceof HTMLElement && target.closest("input, textarea, [role=dialog]") !== null;
        if ((key === "Delete" || key === "Backspace") && !inField) onDelete?.();
      }}
      minZoom={0.1}
      maxZoom={2}
      // The wheel scrolls the page, as everywhere; with Control it zooms.
      zoomOnScroll={false}
      preventScrolling={false}
      zoomOnDoubleClick={false}
      proOptions={{ hideAttribution: true }}
      ariaLabelConfig={WORDS}
    >
      <FitGraph placed={placed} />
      <ZoomPanel />
    </ReactFlow>
  );
}

/** The smallest readable zoom. A graph that does not fit at this zoom begins at its initial state. */
const READABLE = 0.6;

/**
 * Fits the viewport to the whole graph, or to its beginning when the graph is too large. When nodes move, the viewport
 * stays while it shows all of them: nothing may move under a pointer that does not have to.
 */
function FitGraph({ placed }: { placed: string }) {
  const { fitView, getNodes, getNodesBounds, setViewport } = useReactFlow<StateNode>();
  const canvas = useStoreApi();
  /** The places of the nodes to which the viewport was fitted. */
  const fitted = useRef<string | null>(null);
  useEffect(() => {
    const nodes = getNodes();
    const { width, height, transform } = canvas.getState();
    const bounds = getNodesBounds(nodes);
    if (fitted.current !== null && isWithin(bounds, { width, height }, transform)) return;
    fitted.current = placed;
    const first = nodes.find(({ data }) => data.initial);
    if (first === undefined || Math.min(width / bounds.width, height / bounds.height) >= READABLE) void fitView(FIT);
    else {
      const zoom = 0.9;
      const middle = first.position.x + (first.width ?? 0) / 2;
      void setViewport({ x: width / 2 - middle * zoom, y: 24 - first.position.y * zoom, zoom });
    }
  }, [placed, fitView, getNodes, getNodesBounds, setViewport, canvas]);
  return null;
}

/** Whether a viewport of this size shows a whole rectangle of the graph. */
function isWithin(bounds: Rect, size: Pick<Rect, "width" | "height">, [x, y, zoom]: Transform): boolean {
  const left = bounds.x * zoom + x;
  const top = bounds.y * zoom + y;
  return left >= 0 && top >= 0 && left + bounds.width * zoom <= size.width && top + bounds.height * zoom <= size.height;
}

function ZoomPanel() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-right" className="!m-2 flex gap-1">
      <IconButton icon={Plus} variant="secondary" label="Zoom in" onClick={() => void zoomIn()} />
      <IconButton icon={Minus} variant="secondary" label="Zoom out" onClick={() => void zoomOut()} />
      <IconButton icon={Maximize} variant="secondary" label="Show everything" onClick={() => void fitView(FIT)} />
    </Panel>
  );
}

type Shown = Pick<MachineGraphProps, "machine" | "activity" | "warnings" | "simulated"> & { isNarrow: boolean };

/** The machine in React Flow's format. */
function useShown(
  { machine, activity, warnings, simulated, isNarrow }: Shown,
  edits: boolean,
  selected: string | null,
) {
  const graph = useMemo(() => graphOf(machine, { any: edits }), [machine, edits]);
  const countOf = (edge: (typeof graph.edges)[number]) => {
    const count = activity.callsOn(edge, machine);
    return count === 0 ? null : `${count.toLocaleString("en")} in 24 h`;
  };
  const sessionsIn = ({ kind, name }: (typeof graph.nodes)[number]) =>
    kind === "state" ? activity.sessionsIn(name) : 0;
  const placed = placeGraph(graph, {
    countOf,
    isNarrow,
    roomOf: (node) => roomFor(sessionsIn(node), edits || warningsAt(warnings, machine, node.name).length > 0),
  });
  const taken = simulated?.last === undefined ? null : takenBy(placed.edges, simulated.last);
  const nodes = placed.nodes.map(({ x, y, width, height, ...node }): StateNode => {
    const data: ShownNode = {
      ...node,
      sessions: sessionsIn(node),
      warnings: warningsAt(warnings, machine, node.name),
      current: simulated !== undefined && node.id === nodeId(simulated.state),
      connects: edits && node.kind !== "unknown",
    };
    return {
      id: node.id,
      type: "state",
      position: { x, y },
      // Computed before drawing, so that React Flow measures nothing and nothing jumps.
      width,
      height,
      measured: { width, height },
      handles: [
        { type: "source", position: Position.Right, x: 0, y: 0, width, height },
        { type: "target", position: Position.Left, x: 0, y: 0, width, height },
      ],
      data,
      selected: node.id === selected,
      ariaLabel: nodeInWords(data),
    };
  });
  const edges = placed.edges.map((edge): TransitionEdge => {
    const data: ShownEdge = { ...edge, hasCount: countOf(edge) !== null, isTaken: edge.id === taken };
    return {
      id: edge.id,
      type: "transition",
      source: edge.source,
      target: edge.target,
      data,
      selected: edge.id === selected,
      ariaLabel: edgeInWords(data),
    };
  });
  return { nodes, edges };
}

/**
 * The number of sessions in its box, and the sign of a warning. An edited state keeps room for the sign, which comes a
 * moment after an edit.
 */
function roomFor(sessions: number, warns: boolean): number {
  const number = sessions === 0 ? 0 : 14 + 7 * sessions.toLocaleString("en").length;
  return number + (warns ? 18 : 0);
}

/** The edge that a simulated call took: an exact one, else any state's. */
function takenBy(edges: readonly { id: string; from: string; to: string }[], { from, to }: Step): string | null {
  const exact = edges.find((edge) => edge.from === from && edge.to === to);
  return (exact ?? edges.find((edge) => edge.from === "*" && edge.to === to))?.id ?? null;
}

function warningsAt(warnings: readonly Warning[], machine: Input<"machines">, name: string): string[] {
  const index = machine.states.findIndex((state) => state.name === name);
  return warnings.filter(({ path }) => index >= 0 && path === `states[${index}]`).map(({ message }) => message);
}

function nameOf(nodes: readonly StateNode[], id: string): string {
  return nodes.find((node) => node.id === id)?.data.name ?? id;
}
