"use client";

import { ArrowRight, Plus, Trash2, X } from "lucide-react";
import type { ReactNode } from "react";
import type { GraphEdge, GraphNode } from "@/components/machines/graph-model";
import { applyEdit, removeTransitions, renameState } from "@/components/machines/machine-edits";
import { StateColour, StateNameField } from "@/components/machines/state-fields";
import type { Ends } from "@/components/machines/transition-dialog";
import { bind, item } from "@/components/resource/bind";
import type { Draft } from "@/components/resource/draft";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { WithCode } from "@/components/ui/with-code";
import type { Input } from "@/lib/resources";
import type { Warning } from "@/lib/resources/row-plan";

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

/** What is selected in the graph: what it is called, and what can be done with it. */
export function GraphInspector(props: GraphInspectorProps) {
  const { node, edge, onSelect } = props;
  const title =
    node === null ? "Transition" : { state: "State", any: "Any state", unknown: "Unknown state" }[node.kind];
  return (
    <section
      aria-label={`Selected: ${title.toLowerCase()}`}
      className="popup absolute top-2 right-2 flex max-h-[calc(100%-1rem)] w-64 flex-col"
    >
      <div className="flex items-center justify-between py-1.5 pr-1.5 pl-3">
        <h3 className="text-xs font-medium text-muted">{title}</h3>
        <Button variant="ghost" size="icon" aria-label="Deselect" className="size-6" onClick={() => onSelect(null)}>
          <X aria-hidden />
        </Button>
      </div>
      <div className="flex min-h-0 flex-col gap-3 overflow-y-auto px-3 pb-3">
        {edge !== null && <EdgePart {...props} edge={edge} />}
        {node?.kind === "state" && <StatePart {...props} node={node} />}
        {node?.kind === "any" && (
          <>
            <p className="text-xs text-muted">
              What begins here is taken from every state in which the tool is available, unless a transition of the
              state itself says otherwise.
            </p>
            <AddTransition {...props} from="*" />
          </>
        )}
        {node?.kind === "unknown" && <UnknownPart {...props} node={node} />}
      </div>
    </section>
  );
}

function StatePart({ draft, node, warnings, onSelect, onRemove, ...props }: GraphInspectorProps & { node: GraphNode }) {
  const machine = draft.value;
  const index = machine.states.findIndex(({ name }) => name === node.name);
  const state = machine.states[index];
  if (state === undefined) return null;
  const at = item(bind(draft, "states"), index, state);
  const wrong = warnings.filter(({ path }) => path === `states[${index}]`);
  return (
    <>
      <StateNameField
        bound={at}
        label="Name"
        onCommit={(name) => {
          applyEdit(draft, renameState(machine, index, name));
          onSelect(`state ${name}`);
        }}
      />
      <StateColour bound={at} label="Colour" className="w-full" />
      <Checkbox
        checked={state.terminal}
        onChange={(terminal) => at.onChange({ ...state, terminal })}
        label="A run ends here"
        disabled={at.readOnly}
      />
      {wrong.map(({ message }) => (
        <p key={message} className="text-xs text-warn">
          <WithCode text={message} />
        </p>
      ))}
      {!draft.readOnly && (
        <div className="flex flex-col gap-1.5">
          <AddTransition {...props} draft={draft} from={node.name} />
          {!node.initial && (
            <Button size="sm" onClick={() => draft.set("initial", node.name)}>
              Start here
            </Button>
          )}
          <RemoveButton onRemove={onRemove}>Remove state</RemoveButton>
        </div>
      )}
    </>
  );
}

function UnknownPart({ draft, node, onCreate, onRemove }: GraphInspectorProps & { node: GraphNode }) {
  return (
    <>
      <p className="text-xs text-deny">
        <WithCode text={`Transitions name \`${node.name}\`, and no state is called that.`} />
      </p>
      {!draft.readOnly && (
        <div className="flex flex-col gap-1.5">
          <Button size="sm" onClick={() => onCreate(node.name)}>
            <Plus aria-hidden /> Add this state
          </Button>
          <RemoveButton onRemove={onRemove}>Remove its transitions</RemoveButton>
        </div>
      )}
    </>
  );
}

function EdgePart({ draft, edge, onAddTransition, onRemove, onSelect }: GraphInspectorProps & { edge: GraphEdge }) {
  const { from, to, moves } = edge;
  return (
    <>
      <p className="flex items-center gap-1.5 font-mono text-xs">
        <span className="min-w-0 truncate">{from === "*" ? "any state" : from}</span>
        <ArrowRight aria-label="to" className="size-3 shrink-0 text-faint" />
        <span className="min-w-0 truncate">{to}</span>
      </p>
      <ul aria-label="Taken by calls of" className="flex flex-col gap-1">
        {moves.map(({ rule, transition, tools }) => (
          <li
            key={`${rule} ${transition}`}
            className="flex items-start gap-1 rounded-md border border-line py-0.5 pr-0.5 pl-2"
          >
            <span className="min-w-0 flex-1 py-0.5 font-mono text-2xs break-all">{tools}</span>
            {!draft.readOnly && (
              <Button
                variant="ghost"
                size="icon"
                className="size-5"
                aria-label={`Remove the transition of ${tools}`}
                onClick={() => {
                  applyEdit(draft, removeTransitions(draft.value, [{ rule, transition }]));
                  if (moves.length === 1) onSelect(null);
                }}
              >
                <X aria-hidden />
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!draft.readOnly && (
        <div className="flex flex-col gap-1.5">
          <Button size="sm" onClick={() => onAddTransition({ from, to })}>
            <Plus aria-hidden /> Add a tool
          </Button>
          <RemoveButton onRemove={onRemove}>
            {moves.length === 1 ? "Remove transition" : `Remove ${moves.length} transitions`}
          </RemoveButton>
        </div>
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
