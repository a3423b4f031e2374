"use client";

import { Plus, X } from "lucide-react";
import { FindingBadge, findingsColumn } from "@/components/findings/finding-badge";
import { bind, item, within, type Bound } from "@/components/resource/bind";
import { JsonField } from "@/components/resource/fields/json-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Combobox } from "@/components/ui/combobox";
import { Field } from "@/components/ui/field";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { NameField } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import type { Input } from "@/lib/resources";

type State = Input<"machines">["states"][number];

function Fields({ draft }: FieldsProps<"machines">) {
  const { value } = draft;
  return (
    <>
      <Section
        title="State machine"
        description="Which tools are available in each state of a run, and how successful calls move it."
      >
        <NameField draft={draft} label="Name" />
        <TextField {...bind(draft, "description")} label="Description" multiline />
        <Field label="Initial state" name="initial" error={draft.error("initial")}>
          <Combobox
            value={value.initial === "" ? null : value.initial}
            onChange={(state) => draft.set("initial", state ?? "")}
            options={value.states.map((state) => ({ value: state.name }))}
            clearable={false}
            disabled={draft.readOnly}
          />
        </Field>
        <SwitchField
          {...bind(draft, "openStart")}
          label="Open at the start"
          hint="In the initial state every tool is available."
        />
      </Section>
      <Section title="States">
        <States bound={bind(draft, "states")} />
      </Section>
      <Section title="Rules" description="A tool without a rule is available in every state and moves nothing.">
        <JsonField
          {...bind(draft, "rules")}
          label="Rules"
          rows={14}
          hint='[{"tool": "kb:query", "availableIn": ["triage"], "transitions": [{"from": "*", "to": "resolved"}]}]; "selector" instead of "tool" for many; "availableIn": null is every state.'
        />
      </Section>
    </>
  );
}

function States({ bound }: { bound: Bound<State[]> }) {
  return (
    <div className="flex flex-col gap-2" data-field={bound.path}>
      <ul aria-label="States" className="flex flex-col gap-2">
        {bound.value.map((state, index) => {
          const at = item(bound, index, state);
          return (
            <li key={index} className="grid grid-cols-[minmax(8rem,1fr)_minmax(8rem,2fr)_auto_auto] items-start gap-2">
              <TextField {...within(at, "name")} label="State" hideLabel placeholder="name" mono />
              <TextField {...within(at, "description")} label="Description" hideLabel placeholder="What it means" />
              <Checkbox
                className="pt-1.5"
                checked={state.terminal}
                onChange={(terminal) => at.onChange({ ...state, terminal })}
                label="terminal"
                disabled={bound.readOnly}
              />
              {!bound.readOnly && (
                <Button
                  variant="ghost"
                  size="icon"
                  aria-label={`Remove state ${state.name}`}
                  onClick={at.remove}
                  className="mt-0.5"
                >
                  <X aria-hidden />
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {bound.error !== undefined && <p className="text-xs text-deny">{bound.error}</p>}
      {!bound.readOnly && (
        <Button
          size="sm"
          className="w-fit"
          onClick={() => bound.onChange([...bound.value, { name: "", description: "", colour: null, terminal: false }])}
        >
          <Plus aria-hidden /> Add state
        </Button>
      )}
    </div>
  );
}

/** Named state machines. */
export const machines: View<"machines"> = {
  purpose: "A state machine makes tools available step by step, as a run goes on.",
  sort: "name",
  columns: [
    { id: "name", header: "Name", sorts: true, cell: (row) => row.name, className: "whitespace-nowrap" },
    descriptionColumn(),
    {
      id: "states",
      header: "States",
      className: "max-w-72",
      cell: (row) => (
        <span className="block truncate text-muted">{row.states.map((state) => state.name).join(" → ")}</span>
      ),
    },
    {
      id: "rules",
      header: "Rules",
      cell: (row) => <span className="text-muted tabular-nums">{row.rules.length}</span>,
    },
    findingsColumn("machine"),
    changedColumn(),
  ],
  blank: {
    name: "",
    description: "",
    initial: "start",
    openStart: false,
    states: [{ name: "start", description: "", colour: null, terminal: false }],
    rules: [],
  },
  toInput: withoutMeta,
  wording: {
    states: (state: State) => state.name,
    rules: (rule: Input<"machines">["rules"][number]) => rule.tool ?? `tools where ${JSON.stringify(rule.selector)}`,
  },
  Badges: ({ row }) => <FindingBadge about="machine" name={row.name} />,
  Fields,
};
