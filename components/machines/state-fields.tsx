import { useState } from "react";
import { STATE_COLOURS } from "@/components/machines/state-colours";
import { Swatch } from "@/components/machines/state-name";
import { within, type Bound } from "@/components/resource/editor/bind";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Select } from "@/components/ui/forms/select";
import { useReported } from "@/components/ui/forms/use-reported";
import type { Input as InputOf } from "@/lib/resources";

type State = InputOf<"machines">["states"][number];

interface StateNameFieldProps {
  bound: Bound<State>;
  label: string;
  onCommit: (name: string) => void;
}

/** The name applies when a person leaves the field. Half a name must not rename the references to the state. */
export function StateNameField({ bound, label, onCommit }: StateNameFieldProps) {
  const name = within(bound, "name");
  const [text, setText] = useState(name.value);
  const [known, setKnown] = useState(name.value);
  if (known !== name.value) {
    setKnown(name.value);
    setText(name.value);
  }
  // A typed name is in no draft yet. It must not be lost without a question when the person leaves the page.
  useReported(text.trim() === name.value ? null : "Press Enter to rename the state", (problem) =>
    name.of.block(name.path, problem, true),
  );
  const commit = () => text.trim() !== name.value && onCommit(text.trim());
  return (
    <Field label={label} hideLabel error={name.error} path={name.path}>
      <Input
        mono
        value={text}
        placeholder="name"
        disabled={name.readOnly}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
      />
    </Field>
  );
}

const COLOURS = [
  { value: "none", label: "none" },
  ...Object.keys(STATE_COLOURS).map((value) => ({ value, label: value })),
];

/** Selects a colour, or none. */
export function StateColour({ bound, label, className }: { bound: Bound<State>; label: string; className?: string }) {
  const { value: state, onChange, readOnly } = bound;
  return (
    <Select
      aria-label={label}
      value={state.colour ?? "none"}
      onChange={(colour) => onChange({ ...state, colour: colour === "none" ? null : colour })}
      options={withStored(state.colour)}
      disabled={readOnly}
      prefix={<Swatch colour={state.colour} />}
      className={className}
    />
  );
}

/** An imported colour stays until the person selects another. */
function withStored(colour: string | null) {
  const known = colour === null || Object.hasOwn(STATE_COLOURS, colour);
  return known ? COLOURS : [...COLOURS, { value: colour, label: colour }];
}
