import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { CircleHelp, Play, TriangleAlert } from "lucide-react";
import type { GraphNode } from "@/components/machines/graph-model";
import { Swatch } from "@/components/machines/state-name";
import { counted } from "@/components/ui/counted";
import { cn } from "@/components/ui/cn";

/** A node with its display state. */
export interface ShownNode extends GraphNode {
  /** Live sessions in it. */
  readonly sessions: number;
  readonly warnings: readonly string[];
  /** A simulation is in it. */
  readonly current: boolean;
  /** A transition may be drawn from it. */
  readonly connects: boolean;
  readonly [field: string]: unknown;
}

export type StateNode = Node<ShownNode, "state">;

/** A state in the graph, "any state", or a name that no state has. */
export function GraphState({ data, selected = false }: NodeProps<StateNode>) {
  const { kind, name, colour, initial, terminal, sessions, warnings, current, connects } = data;
  return (
    <div
      title={warnings.join("\n") || undefined}
      className={cn(
        "flex size-full items-center gap-1.5 rounded-md border border-edge bg-raised px-2.5",
        kind !== "state" && "rounded-full border-dashed bg-panel text-muted",
        kind === "unknown" && "border-deny text-deny",
        terminal && "outline -outline-offset-4 outline-edge",
        current && "border-accent bg-accent-soft",
        selected && "border-accent ring-2 ring-accent",
      )}
    >
      {initial && <Play aria-hidden className="size-3 shrink-0 text-muted" />}
      {kind === "state" && <Swatch colour={colour} />}
      {kind === "unknown" && <CircleHelp aria-hidden className="size-3 shrink-0" />}
      <span className={cn("min-w-0 flex-1 truncate text-xs", kind !== "any" && "font-mono")}>
        {kind === "any" ? "any state" : name}
      </span>
      {warnings.length > 0 && <TriangleAlert aria-hidden className="size-3 shrink-0 text-warn" />}
      {sessions > 0 && (
        <span className="shrink-0 rounded bg-accent-soft px-1 text-xs font-medium text-accent tabular-nums">
          {sessions.toLocaleString("en")}
        </span>
      )}
      {/* Both cover the state: a transition is drawn from anywhere on one state to anywhere on another. */}
      <Handle type="target" position={Position.Left} isConnectableStart={false} className={COVERING} />
      <Handle
        type="source"
        position={Position.Right}
        isConnectableEnd={false}
        className={COVERING}
        isConnectable={connects}
      />
    </div>
  );
}

const COVERING = "!inset-0 !size-full !transform-none !rounded-md !border-0 !bg-transparent";

/** The description of a node for screen readers. */
export function nodeInWords({ kind, name, initial, terminal, sessions, warnings, current }: ShownNode): string {
  const what = { state: `State ${name}`, any: "Any state", unknown: `${name}: no state has this name` }[kind];
  return [
    what,
    current ? "current state of the simulation" : "",
    initial ? "initial" : "",
    terminal ? "terminal" : "",
    sessions > 0 ? counted(sessions, "live session") : "",
    ...warnings,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
