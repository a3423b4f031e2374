import { ArrowRight, Plus, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import { TERMINAL_HINT } from "@/components/machines/state-words";
import { nodeId, type GraphEdge, type GraphNode } from "@/components/machines/graph-model";
import { applyEdit, removeTransitions, renameState } from "@/components/machines/machine-edits";
import { StateColour, StateNameField } from "@/components/machines/state-fields";
import type { Ends } from "@/components/machines/transition-dialog";
import { bind, item } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { Button, IconButton } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { WithCode } from "@/components/ui/json/with-code";
import type { Input } from "@/lib/resources";
import type { Warning } from "@/lib/contracts/changes/row-plan";

interface GraphInspectorProps {
  draft: Draft<Input<"machines">>;
  /** One of the two is selected. */
  node: GraphNode | null;
  edge: GraphEdge | null;
  warnings: readonly Warning[];
  onSelect: (id: string | null) => void;
  onAddTransition: (ends: Ends) => void;
  /** A state under this name. */
  onCreate: (name: string) => void;
  onRemove: () => void;
}

/** The selected node or edge, in a bar below the graph: its name and its actions. */
export function GraphInspector(props: GraphInspectorProps) {
  const { node, edge, onSelect } = props;
  const title =
    node === null ? "Transition" : { state: "State", any: "Any state", unknown: "Unknown state" }[node.kind];
  return (
    <section
      aria-label={`Selected: ${title.toLowerCase()}`}
      className="flex max-h-36 items-start gap-3 overflow-y-auto max-sm:max-h-none border-t border-line bg-raised py-2 pr-2 pl-3"
    >
      <h3 className="flex h-7 shrink-0 items-center text-xs max-sm:h-10 font-medium text-muted">{title}</h3>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
        {edge !== null && <EdgePart {...props} edge={edge} />}
        {node?.kind === "state" && <StatePart {...props} node={node} />}
        {node?.kind === "any" && (
          <>
            <p className="min-w-48 flex-1 text-xs text-pretty text-muted">
              Transitions from here apply to every state in which the tool is available. A transition from a specific
              state takes precedence.
            </p>
            <AddTransition {...props} from="*" />
          </>
        )}
        {node?.kind === "unknown" && <UnknownPart {...props} node={node} />}
      </div>
      <IconButton icon={X} label="Deselect" onClick={() => onSelect(null)} />
    </section>
  );
}

function StatePart({ draft, node, warnings, onSelect, onRemove, ...props }: GraphInspectorProps & { node: GraphNode }) {
  const machine = draft.value;
  const index = machine.states.findIndex(({ name }) => name === node.name);
  const state = machine.states[index];
  if (state === undefined) return null;
  const at = item(bind(draft, "states"), index, state);
  const rename = (name: string) => {
    applyEdit(draft, renameState(machine, index, name));
    onSelect(nodeId(name));
  };
  return (
    <>
      <StateNameField bound={at} label="Name of the selected state" onCommit={rename} />
      <StateColour bound={at} label="Colour of the selected state" className="w-28" />
      <Checkbox
        checked={state.terminal}
        onChange={(terminal) => at.onChange({ ...state, terminal })}
        label="Terminal state"
        hint={TERMINAL_HINT}
        disabled={at.readOnly}
      />
      {!draft.readOnly && (
        <span className="flex flex-wrap gap-2">
          {!node.initial && (
            <Button size="sm" onClick={() => draft.set("initial", node.name)}>
              Set as initial state
            </Button>
          )}
          <AddTransition {...props} draft={draft} from={node.name} />
          <RemoveButton onRemove={onRemove}>Remove state</RemoveButton>
        </span>
      )}
      {warnings
        .filter(({ path }) => path === `states[${index}]`)
        .map(({ message }) => (
          <WithCode as="p" key={message} className="w-full text-xs text-warn" text={message} />
        ))}
    </>
  );
}

function UnknownPart({ draft, node, onCreate, onRemove }: GraphInspectorProps & { node: GraphNode }) {
  return (
    <>
      <WithCode
        as="p"
        className="min-w-48 flex-1 text-xs text-deny"
        text={`Transitions name \`${node.name}\`, but no state has this name.`}
      />
      {!draft.readOnly && (
        <>
          <Button size="sm" onClick={() => onCreate(node.name)}>
            <Plus aria-hidden /> Add this state
          </Button>
          <RemoveButton onRemove={onRemove}>Remove its transitions</RemoveButton>
        </>
      )}
    </>
  );
}

function EdgePart({ draft, edge, onAddTransition, onRemove, onSelect }: GraphInspectorProps & { edge: GraphEdge }) {
  const { from, to, moves } = edge;
  return (
    <>
      <p className="flex items-center gap-1.5 font-mono text-xs">
        <span>{from === "*" ? "any state" : from}</span>
        <ArrowRight aria-label="to" className="size-3 shrink-0 text-faint" />
        <span>{to}</span>
      </p>
      <ul aria-label="Tools that take this transition" className="flex min-w-0 flex-wrap gap-1.5">
        {moves.map(({ rule, transition, tools }) => (
          <li
            key={`${rule} ${transition}`}
            className="flex min-h-7 min-w-0 items-center gap-0.5 rounded-md border border-line px-2"
          >
            <span className="min-w-0 font-mono text-xs break-all">{tools}</span>
            {!draft.readOnly && (
              <IconButton
                icon={X}
                className="-mr-1.5 size-6 max-sm:size-10"
                label={`Remove the transition of ${tools}`}
                onClick={() => {
                  applyEdit(draft, removeTransitions(draft.value, [{ rule, transition }]));
                  if (moves.length === 1) onSelect(null);
                }}
              />
            )}
          </li>
        ))}
      </ul>
      {!draft.readOnly && (
        <>
          <Button size="sm" onClick={() => onAddTransition({ from, to })}>
            <Plus aria-hidden /> Add a tool
          </Button>
          <RemoveButton onRemove={onRemove}>
            {moves.length === 1 ? "Remove transition" : `Remove ${moves.length} transitions`}
          </RemoveButton>
        </>
      )}
    </>
  );
}

function AddTransition({
  draft,
  from,
  onAddTransition,
}: Pick<GraphInspectorProps, "draft" | "onAddTransition"> & { from: string }) {
  if (draft.readOnly) return null;
  const others = draft.value.states.filter(({ name }) => name !== from && name !== "");
  return (
    <Button
      size="sm"
      disabled={others.length === 0}
      onClick={() => onAddTransition({ from, to: others.at(-1)?.name ?? "" })}
    >
      <Plus aria-hidden /> Add transition
    </Button>
  );
}

function RemoveButton({ onRemove, children }: { onRemove: () => void; children: ReactNode }) {
  return (
    <Button size="sm" className="text-deny" onClick={onRemove}>
      <Trash2 aria-hidden /> {children}
    </Button>
  );
}
