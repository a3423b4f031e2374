import { FlowImpact, REPLAY_NOTE } from "@/components/flow/flow-impact";
import { NAME_COLUMN, textColumn } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { Section } from "@/components/resource/section";
import { useNamesWithStaged } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { Badge } from "@/components/ui/badge";
import { toOptions } from "@/components/ui/forms/options";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { ModeField, ObservedBadge } from "@/components/views/mode-field";
import { ObservedNote } from "@/components/views/observed-note";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { restrictionInWords, Restrictions } from "@/components/views/flow/restrictions";

const EFFECTS = { hide: "Hide the tools", approve: "Require approval of each call" } as const;
const EFFECT_OPTIONS = toOptions(EFFECTS);

function Fields({ draft }: FieldsProps<"flows">) {
  const labels = useNamesWithStaged("labels").picker;
  return (
    <>
      <Section
        title="Flow rule"
        description="A flow rule restricts tools for callers that hold labels. It never grants a tool."
      >
        <NameAndDescription draft={draft} />
        <SwitchField {...bind(draft, "active")} label="Active" hint="Inactive rules restrict nothing" />
        <ModeField draft={draft} />
      </Section>
      <Section title="Condition" description="The rule applies when the caller holds all of these labels.">
        <ChipsField {...bind(draft, "when")} label="Labels" {...labels} strict />
      </Section>
      <Section title="Restriction" description="The rule restricts the tools that match any of these.">
        <Restrictions bound={bind(draft, "restrict")} />
        <ChoiceField {...bind(draft, "effect")} label="Effect" options={EFFECT_OPTIONS} />
      </Section>
    </>
  );
}

/** What the draft would have done to past calls, also before the first edit. */
function Aside({ draft, row }: FieldsProps<"flows">) {
  return <FlowImpact change={{ resource: "flows", id: row?.name ?? null, input: draft.value }} note={REPLAY_NOTE} />;
}

/** Flow rules: what a caller may no longer do after what it has read. */
export const flows: View<"flows"> = {
  sort: "name",
  columns: [
    {
      ...NAME_COLUMN,
      cell: (row) => (
        <>
          {row.name} {!row.active && <Badge tone="outline">inactive</Badge>} <ObservedBadge mode={row.mode} />
        </>
      ),
    },
    { id: "when", header: "Labels", className: "whitespace-nowrap", cell: (row) => row.when.join(" and ") },
    textColumn("restrict", "Restricts", (row) => row.restrict.map(restrictionInWords).join(", or "), {
      className: "max-w-96",
    }),
    {
      id: "effect",
      header: "Effect",
      className: "whitespace-nowrap",
      cell: (row) => (row.effect === "hide" ? "hide" : "approval"),
    },
    descriptionColumn(),
    changedColumn(),
  ],
  blank: {
    name: "",
    description: "",
    active: true,
    mode: "enforce",
    when: [],
    restrict: [{ is: "", tool: null, selector: null }],
    effect: "hide",
  },
  toInput: withoutMeta,
  Notice: ({ row }) => (row.mode === "observe" ? <ObservedNote kind="flow" rule={row.name} /> : null),
  Fields,
  Aside,
};
