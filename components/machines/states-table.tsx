import { Plus } from "lucide-react";
import { applyEdit, renameState } from "@/components/machines/machine-edits";
import { RowActions } from "@/components/machines/row-actions";
import { StateColour, StateNameField } from "@/components/machines/state-fields";
import { selectorInWords } from "@/components/views/rules/selector-words";
import { bind, item, within, type Bound } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { TextField } from "@/components/resource/fields/text-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/forms/checkbox";
import { ErrorText } from "@/components/ui/forms/field";
import { Headers, Table, Td } from "@/components/ui/table";
import { useAddRow } from "@/components/ui/forms/use-add-row";
import type { Input as InputOf } from "@/lib/resources";

type Machine = InputOf<"machines">;
type State = Machine["states"][number];

interface StatesTableProps {
  draft: Draft<Machine>;
  /** The number of live sessions in a state. */
  sessionsIn: (state: string) => number;
}

/** The states of a machine, one per row. Renaming a state also renames its references, unless two states share a name. */
export function StatesTable({ draft, sessionsIn }: StatesTableProps) {
  const states = bind(draft, "states");
  const [rows, addRow] = useAddRow<HTMLTableSectionElement>();
  const addState = () =>
    addRow(() => states.onChange([...states.value, { name: "", description: "", colour: null, terminal: false }]));
  const rename = (index: number, name: string) => applyEdit(draft, renameState(draft.value, index, name));
  return (
    <div className="flex flex-col gap-3" data-field="states">
      <Table label="States" stacks>
        <Headers
          of={[
            "Initial",
            "Name",
            "Description",
            "Tools",
            "Colour",
            "Terminal",
            "Live sessions",
            { hidden: "Order and removal" },
          ]}
          className="px-2"
        />
        <tbody ref={rows}>
          {states.value.map((state, index) => (
            <StateRow
              key={index}
              states={states}
              index={index}
              state={state}
              sessions={sessionsIn(state.name)}
              tools={toolsIn(draft.value, state.name)}
              isInitial={draft.value.initial === state.name}
              onInitial={() => draft.set("initial", state.name)}
              onRename={(name) => rename(index, name)}
            />
          ))}
        </tbody>
      </Table>
      <ErrorText text={states.error} />
      <div data-field="initial">
        <ErrorText text={draft.error("initial")} />
      </div>
      {!draft.readOnly && (
        <Button size="sm" className="w-fit" onClick={addState}>
          <Plus aria-hidden /> Add state
        </Button>
      )}
    </div>
  );
}

/** The tools that rules make available in a state, in words. */
function toolsIn({ rules }: Machine, state: string): readonly string[] {
  const matching = rules.filter(({ availableIn }) => availableIn === null || availableIn.includes(state));
  const words = matching.map(
    ({ tool, selector }) => tool ?? (selector === null ? "no tool" : selectorInWords(selector)),
  );
  return [...new Set(words)];
}

interface StateRowProps {
  states: Bound<State[]>;
  index: number;
  state: State;
  sessions: number;
  /** The tools that rules make available in the state, in words. */
  tools: readonly string[];
  isInitial: boolean;
  onInitial: () => void;
  onRename: (name: string) => void;
}

function StateRow({ states, index, state, sessions, tools, isInitial, onInitial, onRename }: StateRowProps) {
  const at = item(states, index, state);
  const label = state.name === "" ? `state ${index + 1}` : `state ${state.name}`;
  return (
    <tr>
      <Td data-label="Initial" data-short className="px-2 text-center">
        <input
          type="radio"
          name="initial-state"
          aria-label={`Start in ${label}`}
          checked={isInitial}
          disabled={at.readOnly || state.name === ""}
          onChange={onInitial}
          className="block size-4 appearance-none rounded-full border border-edge bg-raised checked:border-5 checked:border-accent-fill disabled:opacity-50"
        />
      </Td>
      <Td data-label="Name" className="min-w-48 px-2">
        <StateNameField bound={at} label="Name of the state" onCommit={onRename} />
      </Td>
      <Td data-label="Description" className="w-full min-w-52 px-2">
        <TextField
          {...within(at, "description")}
          label={`Description of ${label}`}
          hideLabel
          placeholder="Meaning of the state"
        />
      </Td>
      <Td data-label="Tools" className="min-w-44 px-2 text-xs text-muted">
        <ul aria-label={`Tools in ${label}`}>
          {tools.map((tool) => (
            <li key={tool} className="break-words">
              {tool}
            </li>
          ))}
          <li className="text-faint">{tools.length > 0 && "and "}every tool without a rule below</li>
        </ul>
      </Td>
      <Td data-label="Colour" data-short className="px-2">
        <StateColour bound={at} label={`Colour of ${label}`} className="w-28 max-sm:w-full" />
      </Td>
      <Td data-label="Terminal" data-short className="px-2 text-center">
        <Checkbox
          checked={state.terminal}
          onChange={(terminal) => at.onChange({ ...state, terminal })}
          aria-label={`A run ends in ${label}`}
          disabled={at.readOnly}
        />
      </Td>
      <Td data-label="Live sessions" data-short className="px-2 text-right text-muted tabular-nums">
        {sessions.toLocaleString("en")}
      </Td>
      <Td className="px-1">
        <RowActions list={states} index={index} label={label} />
      </Td>
    </tr>
  );
}
