import { Plus } from "lucide-react";
import { useState, type Dispatch, type SetStateAction } from "react";
import { GraphInspector } from "@/components/machines/graph-inspector";
import { graphOf, nodeId } from "@/components/machines/graph-model";
import { LazyMachineGraph } from "@/components/machines/lazy-machine-graph";
import { addState, addTransition, applyEdit, removeNode, removeTransitions } from "@/components/machines/machine-edits";
import { LINT_ID } from "@/components/machines/machine-lint";
import { TransitionDialog, type Ends } from "@/components/machines/transition-dialog";
import type { ActivityOf } from "@/components/machines/use-machine-activity";
import type { Draft } from "@/components/resource/editor/draft";
import { counted } from "@/components/ui/counted";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import type { Input } from "@/lib/resources";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface DesignGraphProps {
  draft: Draft<Input<"machines">>;
  activity: ActivityOf;
  warnings: readonly Warning[];
}

/** With more states than this, a graph runs downwards and is taller. */
const MAX_STATES_IN_ROW = 8;

/** The graph of an edited machine. The graph and the tables below edit one draft. */
export function DesignGraph({ draft, activity, warnings }: DesignGraphProps) {
  const machine = draft.value;
  const { nodes, node, edge, selected, setSelected, remove, add } = useSelection(draft);
  const [drawn, setDrawn] = useState<Ends | null>(null);
  return (
    <div className="flex flex-col gap-2">
      <div
        className={cn(
          "flex h-96 min-h-64 resize-y flex-col overflow-hidden rounded-lg border border-line max-sm:h-auto max-sm:resize-none",
          nodes.length > MAX_STATES_IN_ROW && "sm:h-[36rem]",
        )}
      >
        <Canvas
          draft={draft}
          activity={activity}
          warnings={warnings}
          selected={selected}
          onSelect={setSelected}
          onConnect={(from, to) => setDrawn({ from, to })}
          onDelete={remove}
          onAdd={() => add()}
        />
        {(node !== null || edge !== null) && (
          <GraphInspector
            // A rename keeps the inspector: a click on one of its buttons commits the name first.
            key={node?.kind === "state" ? machine.states.findIndex(({ name }) => name === node.name) : selected}
            draft={draft}
            node={node}
            edge={edge}
            warnings={warnings}
            onSelect={setSelected}
            onAddTransition={setDrawn}
            onCreate={add}
            onRemove={remove}
          />
        )}
      </div>
      <Hint readOnly={draft.readOnly} others={activity.others} warnings={warnings.length} />
      {drawn !== null && (
        <TransitionDialog
          machine={machine}
          ends={drawn}
          onClose={() => setDrawn(null)}
          onAdd={(transition) => {
            applyEdit(draft, addTransition(machine, transition));
            setDrawn(null);
          }}
        />
      )}
    </div>
  );
}

/** The selected part of the graph, and the edits that change the selection. */
function useSelection(draft: DesignGraphProps["draft"]) {
  const machine = draft.value;
  const [selected, setSelected] = useState<string | null>(null);
  const { nodes, edges } = graphOf(machine, { any: !draft.readOnly });
  const node = nodes.find(({ id }) => id === selected) ?? null;
  const edge = edges.find(({ id }) => id === selected) ?? null;

  const remove = () => {
    if (draft.readOnly) return;
    if (edge !== null) applyEdit(draft, removeTransitions(machine, edge.moves));
    if (node !== null) applyEdit(draft, removeNode(machine, node, edges));
    setSelected(null);
  };
  const add = (wanted?: string) => {
    const { machine: next, name } = addState(machine, wanted);
    applyEdit(draft, next);
    setSelected(nodeId(name));
  };
  return { nodes, node, edge, selected, setSelected, remove, add };
}

interface CanvasProps extends DesignGraphProps {
  selected: string | null;
  onSelect: Dispatch<SetStateAction<string | null>>;
  onConnect: (from: string, to: string) => void;
  onDelete: () => void;
  onAdd: () => void;
}

/** The drawn machine, with the button that adds a state. */
function Canvas({ draft, onConnect, onAdd, ...graph }: CanvasProps) {
  return (
    <div className="relative min-h-0 flex-1 max-sm:h-96 max-sm:flex-none">
      <LazyMachineGraph {...graph} machine={draft.value} onConnect={draft.readOnly ? undefined : onConnect} />
      {!draft.readOnly && (
        <Button size="sm" className="absolute top-2 left-2" onClick={onAdd}>
          <Plus aria-hidden /> Add state
        </Button>
      )}
    </div>
  );
}

interface HintProps {
  readOnly: boolean;
  /** Calls that took a transition that no longer exists. */
  others: number;
  warnings: number;
}

/** What to do with the graph. The link to the warnings takes part of this line, so that nothing moves when it appears. */
function Hint({ readOnly, others, warnings }: HintProps) {
  return (
    <p className="flex flex-wrap justify-between gap-x-4 text-xs text-faint">
      <span>
        {readOnly
          ? "Select a state or a transition to see its details."
          : "Drag from one state to another to add a transition. Select a state or a transition to change it."}
        {others > 0 && ` In the last 24 hours, ${counted(others, "call")} took a transition that no longer exists.`}
      </span>
      {warnings > 0 && (
        <a href={`#${LINT_ID}`} className="font-medium text-warn underline-offset-2 hover:underline">
          {counted(warnings, "warning")} below
        </a>
      )}
    </p>
  );
}
