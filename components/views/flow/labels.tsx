import { FlowImpact } from "@/components/flow/flow-impact";
import { NAME_COLUMN } from "@/components/resource/columns";
import { same } from "@/components/resource/editor/changes";
import { bind } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { counted } from "@/components/ui/counted";
import { toOptions } from "@/components/ui/forms/options";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { NameAndDescription } from "@/components/views/name-field";
import { LabelHolders } from "@/components/views/flow/label-holders";
import { withoutMeta } from "@/components/views/row-input";

const SCOPES = { run: "Run", caller: "Caller" } as const;
const SCOPE_OPTIONS = toOptions(SCOPES);

function Fields({ draft }: FieldsProps<"labels">) {
  const scope = bind(draft, "scope");
  const minutes = bind(draft, "holdMinutes");
  return (
    <Section
      title="Label"
      description="A label says what a run has read, such as private data. Tools raise labels, and flow rules restrict tools for callers that hold them."
    >
      <NameAndDescription draft={draft} />
      <ChoiceField
        {...scope}
        onChange={(next) => {
          scope.onChange(next);
          minutes.onChange(null);
        }}
        label="Scope"
        options={SCOPE_OPTIONS}
        hint={
          scope.value === "run"
            ? "The session that called holds the label until it ends. A call without a session raises it on the caller"
            : "The caller holds the label in every session, with every token"
        }
      />
      {scope.value === "caller" && (
        <OptionalNumberField
          {...minutes}
          label="Minutes held"
          hint="After the last call that raised it. Empty: until a person clears it"
          placeholder="no limit"
        />
      )}
    </Section>
  );
}

/** What a change of a stored label would have done to past calls. No tool raises a new one. */
function Aside({ draft, row }: FieldsProps<"labels">) {
  if (row === null || draft.readOnly) return null;
  const isEdited = !same(draft.value, withoutMeta(row));
  return (
    <FlowImpact
      change={isEdited ? { resource: "labels", id: row.name, input: draft.value } : null}
      unchanged="Edit the label to see which past calls flow rules would stop or allow."
    />
  );
}

/** Labels: what a run or a caller has read. */
export const labels: View<"labels"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    { id: "scope", header: "Scope", cell: (row) => SCOPES[row.scope] },
    {
      id: "holdMinutes",
      header: "Held",
      className: "whitespace-nowrap",
      cell: (row) =>
        row.scope === "run"
          ? "until the session ends"
          : row.holdMinutes === null
            ? "until cleared"
            : holdInWords(row.holdMinutes),
    },
    descriptionColumn(),
    changedColumn(),
  ],
  blank: { name: "", description: "", scope: "caller", holdMinutes: null },
  toInput: withoutMeta,
  Fields,
  Aside,
  Detail: [{ value: "held", label: "Held by", Panel: LabelHolders }],
};

function holdInWords(minutes: number): string {
  return minutes % 60 === 0 ? counted(minutes / 60, "hour") : counted(minutes, "minute");
}
