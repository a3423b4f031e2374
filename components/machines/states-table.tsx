"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { renameState } from "@/components/machines/machine-edits";
import { RowActions } from "@/components/machines/row-actions";
import { STATE_COLOURS } from "@/components/machines/state-colours";
import { Swatch } from "@/components/machines/state-name";
import { bind, item, within, type Bound } from "@/components/resource/bind";
import type { Draft } from "@/components/resource/draft";
import { TextField } from "@/components/resource/fields/text-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Table, Td, Th } from "@/components/ui/table";
import { WithCode } from "@/components/ui/with-code";
import type { Input as InputOf } from "@/lib/resources";

type Machine = InputOf<"machines">;
type State = Machine["states"][number];

const COLOURS = [
  { value: "none", label: "none" },
  ...Object.keys(STATE_COLOURS).map((value) => ({ value, label: value })),
];

/** The states of a machine, one a row. A name that changes changes wherever it is used. */
export function StatesTable({ draft }: { draft: Draft<Machine> }) {
  const states = bind(draft, "states");
  const rename = (index: number, name: string) => {
    const { states: list, initial, rules } = renameState(draft.value, index, name);
    draft.set("states", list);
    if (initial !== draft.value.initial) draft.set("initial", initial);
    draft.set("rules", rules);
  };
  return (
    <div className="flex flex-col gap-3" data-field="states">
      <Table label="States">
        <thead>
          <tr>
            {["Initial", "Name", "Description", "Colour", "Terminal"].map((header) => (
              <Th key={header} className="px-2">
                {header}
              </Th>
            ))}
            <Th>
              <span className="sr-only">Order and removal</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {states.value.map((state, index) => (
            <StateRow
              key={index}
              states={states}
              index={index}
              state={state}
              initial={draft.value.initial === state.name}
              onInitial={() => draft.set("initial", state.name)}
              onRename={(name) => rename(index, name)}
            />
          ))}
        </tbody>
      </Table>
      <Wrong text={states.error} />
      <div data-field="initial">
        <Wrong text={draft.error("initial")} />
      </div>
      {!draft.readOnly && (
        <Button
          size="sm"
          className="w-fit"
          onClick={() =>
            states.onChange([...states.value, { name: "", description: "", colour: null, terminal: false }])
          }
        >
          <Plus aria-hidden /> Add state
        </Button>
      )}
    </div>
  );
}

function Wrong({ text }: { text: string | undefined }) {
  return (
    text !== undefined && (
      <p className="text-xs text-deny">
        <WithCode text={text} />
      </p>
    )
  );
}

interface StateRowProps {
  states: Bound<State[]>;
  index: number;
  state: State;
  initial: boolean;
  onInitial: () => void;
  onRename: (name: string) => void;
}

function StateRow({ states, index, state, initial, onInitial, onRename }: StateRowProps) {
  const at = item(states, index, state);
  const label = state.name === "" ? `state ${index + 1}` : `state ${state.name}`;
  return (
    <tr>
      <Td className="px-2 text-center">
        <input
          type="radio"
          name="initial-state"
          aria-label={`Start in ${label}`}
          checked={initial}
          disabled={at.readOnly || state.name === ""}
          onChange={onInitial}
          className="block size-4 accent-(--accent)"
        />
      </Td>
      <Td className="min-w-36 px-2">
        <NameField key={state.name} bound={within(at, "name")} onCommit={onRename} />
      </Td>
      <Td className="w-full min-w-52 px-2">
        <TextField
          {...within(at, "description")}
          label={`Description of ${label}`}
          hideLabel
          placeholder="What it means"
        />
      </Td>
      <Td className="px-2">
        <Select
          aria-label={`Colour of ${label}`}
          value={state.colour ?? "none"}
          onChange={(colour) => at.onChange({ ...state, colour: colour === "none" ? null : colour })}
          options={withStored(state.colour)}
          disabled={at.readOnly}
          prefix={<Swatch colour={state.colour} />}
          className="w-28"
        />
      </Td>
      <Td className="px-2 text-center">
        <Checkbox
          checked={state.terminal}
          onChange={(terminal) => at.onChange({ ...state, terminal })}
          aria-label={`A run ends in ${label}`}
          disabled={at.readOnly}
        />
      </Td>
      <Td className="px-1">
        <RowActions list={states} index={index} label={label} />
      </Td>
    </tr>
  );
}

/** A name is taken when one leaves its field: half a name must not rename what refers to the whole one. */
function NameField({ bound, onCommit }: { bound: Bound<string>; onCommit: (name: string) => void }) {
  const [text, setText] = useState(bound.value);
  const commit = () => text.trim() !== bound.value && onCommit(text.trim());
  return (
    <Field label="Name of the state" hideLabel error={bound.error} name={bound.path}>
      <Input
        mono
        value={text}
        placeholder="name"
        disabled={bound.readOnly}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
      />
    </Field>
  );
}

/** A colour that came from elsewhere is kept until another is chosen. */
function withStored(colour: string | null) {
  const known = colour === null || Object.hasOwn(STATE_COLOURS, colour);
  return known ? COLOURS : [...COLOURS, { value: colour, label: colour }];
}
