import type { Edge, EdgeProps } from "@xyflow/react";
import { LABEL_LINE, pathThrough, type PlacedEdge, type Point } from "@/components/machines/graph-layout";
import { cn } from "@/components/ui/cn";

/** An edge with its display state. */
export interface ShownEdge extends PlacedEdge {
  /** Whether the last line of the label is a count. */
  readonly hasCount: boolean;
  /** Whether the simulation's last call took it. */
  readonly isTaken: boolean;
  readonly [field: string]: unknown;
}

export type TransitionEdge = Edge<ShownEdge, "transition">;

/** The transitions between two states as one arrow, labelled with the tools whose calls take it. */
export function GraphTransition({ data, selected = false }: EdgeProps<TransitionEdge>) {
  if (data === undefined) return null;
  const { points, label, hasCount, isTaken, from } = data;
  const path = pathThrough(points);
  const isHighlighted = selected || isTaken;
  return (
    <>
      <path d={path} className="react-flow__edge-interaction" fill="none" strokeOpacity={0} strokeWidth={18} />
      <path
        d={path}
        className={cn("fill-none stroke-edge", isHighlighted && "stroke-accent")}
        strokeWidth={isHighlighted ? 1.75 : 1.1}
        strokeDasharray={from === "*" ? "4 3" : undefined}
      />
      <path
        d="M0 0L-8 3.5V-3.5Z"
        transform={arrowTransform(points)}
        className={cn("fill-edge", isHighlighted && "fill-accent")}
      />
      <g transform={`translate(${label.x} ${label.y})`}>
        <rect
          x={-label.width / 2}
          y={-label.height / 2}
          width={label.width}
          height={label.height}
          rx={4}
          className={cn("fill-canvas", selected && "fill-accent-soft")}
        />
        <text textAnchor="middle" className={cn("fill-ink font-mono text-xs", isHighlighted && "fill-accent")}>
          {label.lines.map((line, index) => (
            <tspan
              key={index}
              x={0}
              y={(index - (label.lines.length - 1) / 2) * LABEL_LINE}
              dominantBaseline="central"
              className={cn(hasCount && index === label.lines.length - 1 && "fill-muted font-sans tabular-nums")}
            >
              {line}
            </tspan>
          ))}
        </text>
      </g>
    </>
  );
}

/** The position of the arrowhead, turned in the direction of the line. */
function arrowTransform(points: readonly Point[]): string {
  const [before, end] = points.slice(-2);
  if (before === undefined || end === undefined) return "";
  const angle = (Math.atan2(end.y - before.y, end.x - before.x) * 180) / Math.PI;
  return `translate(${end.x} ${end.y}) rotate(${angle})`;
}

/** The description of an edge for screen readers. */
export function edgeInWords({ from, to, moves, label, hasCount }: ShownEdge): string {
  const tools = moves.map((move) => move.tools).join(", ");
  const count = hasCount ? `, ${label.lines.at(-1)}` : "";
  return `${from === "*" ? "Any state" : from} to ${to}: ${tools}${count}`;
}
