"use client";

import "@xyflow/react/dist/base.css";
import {
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  type EdgeChange,
  type NodeChange,
} from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import { useEffect, useMemo } from "react";
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
import { Button } from "@/components/ui/button";
import type { Input } from "@/lib/resources";
import type { Warning } from "@/lib/resources/row-plan";

export interface MachineGraphProps {
  machine: Input<"machines">;
  activity: ActivityOf;
  warnings: readonly Warning[];
  /** A simulation on the graph: where it is, and the last call that moved it. */
  simulated?: { readonly state: string; readonly last: Step | undefined } | undefined;
  /** The id of a node or an edge. */
  selected?: string | null | undefined;
  onSelect?: ((id: string | null) => void) | undefined;
  /** A transition was drawn between two states, named as transitions name them. Absent: nothing is edited. */
  onConnect?: ((from: string, to: string) => void) | undefined;
  /** Delete was pressed on what is selected. */
  onDelete?: (() => void) | undefined;
}

const NODE_TYPES = { state: GraphState };
const EDGE_TYPES = { transition: GraphTransition };
const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.25 };
const WORDS = {
  "node.a11yDescription.default": "Press Enter to select it.",
  "edge.a11yDescription.default": "Press Enter to select it.",
};

/** The graph of a state machine, placed by itself: states, and transitions labelled by whose calls take them. */
export function MachineGraph(props: MachineGraphProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ selected = null, onSelect, onConnect, onDelete, ...shown }: MachineGraphProps) {
  const edits = onConnect !== undefined;
  const { nodes, edges } = useShown(shown, edits, selected);
  const placed = nodes.map(({ id, position }) => `${id} ${position.x} ${position.y}`).join();
  const select = (changes: readonly (NodeChange<StateNode> | EdgeChange<TransitionEdge>)[]) => {
    const chosen = changes.filter((change) => change.type === "select");
    const next = chosen.findLast((change) => change.selected);
    if (next !== undefined) onSelect?.(next.id);
    else if (chosen.some((change) => change.id === selected)) onSelect?.(null);
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
      fitView
      fitViewOptions={FIT}
      minZoom={0.1}
      maxZoom={2}
      // The wheel scrolls the page, as everywhere; with Control it zooms.
      zoomOnScroll={false}
      preventScrolling={false}
      zoomOnDoubleClick={false}
      proOptions={{ hideAttribution: true }}
      ariaLabelConfig={WORDS}
    >
      <ShowEverything key={placed} />
      <ZoomPanel />
    </ReactFlow>
  );
}

/** The viewport is the canvas's own: it shows everything again when something has moved. */
function ShowEverything() {
  const { fitView } = useReactFlow();
  useEffect(() => void fitView(FIT), [fitView]);
  return null;
}

function ZoomPanel() {
  const { zoomIn, zoomOut, fitView } = useReactFlow();
  return (
    <Panel position="bottom-right" className="!m-2 flex gap-1">
      <Button size="icon" aria-label="Zoom in" onClick={() => void zoomIn()}>
        <Plus aria-hidden />
      </Button>
      <Button size="icon" aria-label="Zoom out" onClick={() => void zoomOut()}>
        <Minus aria-hidden />
      </Button>
      <Button size="icon" aria-label="Show everything" onClick={() => void fitView(FIT)}>
        <Maximize aria-hidden />
      </Button>
    </Panel>
  );
}

type Shown = Pick<MachineGraphProps, "machine" | "activity" | "warnings" | "simulated">;

/** The machine as React Flow takes it. */
function useShown({ machine, activity, warnings, simulated }: Shown, edits: boolean, selected: string | null) {
  const graph = useMemo(() => graphOf(machine, { any: edits }), [machine, edits]);
  const countOf = (edge: (typeof graph.edges)[number]) => {
    const count = activity.callsOn(edge, machine);
    return count === 0 ? null : `${count.toLocaleString("en")} in 24 h`;
  };
  const placed = placeGraph(graph, countOf);
  const taken = simulated?.last === undefined ? null : takenBy(placed.edges, simulated.last);
  const nodes = placed.nodes.map(({ x, y, width, height, ...node }): StateNode => {
    const data: ShownNode = {
      ...node,
      sessions: node.kind === "state" ? activity.sessionsIn(node.name) : 0,
      warnings: warningsAt(warnings, machine, node.name),
      current: simulated !== undefined && node.id === nodeId(simulated.state),
      connects: edits && node.kind !== "unknown",
    };
    return {
      id: node.id,
      type: "state",
      position: { x, y },
      // Known before it is drawn: nothing is measured, and nothing jumps.
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
    const data: ShownEdge = { ...edge, counted: countOf(edge) !== null, taken: edge.id === taken };
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
