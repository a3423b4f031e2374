import { NAME_COLUMN } from "@/components/resource/columns";
import { bind, within } from "@/components/resource/editor/bind";
import { JsonField } from "@/components/resource/fields/json-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { TextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { AssertionBadge, AssertionResult, AssertionRun } from "@/components/views/rules/assertion-result";
import { changedColumn } from "@/components/views/changed-column";
import { GivenField } from "@/components/views/given-field";
import { withoutMeta } from "@/components/views/row-input";
import type { Row } from "@/lib/resources";

function Fields({ draft }: FieldsProps<"assertions">) {
  const expect = bind(draft, "expect");
  return (
    <>
      <Section title="Assertion" description="A test of the rules: which tools this caller must see, and which not.">
        <TextField {...bind(draft, "name")} label="Name" hint="A sentence, such as “staff see the menu”" />
        <TextField {...bind(draft, "description")} label="Description" multiline />
      </Section>
      <Section title="Request" description="The caller and the request, in the format of the preview.">
        <GivenField {...bind(draft, "given")} />
      </Section>
      <Section title="Expectation">
        <JsonField
          {...within(expect, "visible")}
          label="Visible"
          hint='Tool ids, or selectors such as {"requiredTags": ["read"]}'
        />
        <JsonField {...within(expect, "hidden")} label="Hidden" />
        <SwitchField
          {...within(expect, "exactly")}
          label="No other visible tools"
          hint="The assertion fails if the caller sees any other tool"
        />
      </Section>
    </>
  );
}

/** The expectation as counts: `exactly 4 visible`, `1 visible, 2 hidden`. */
function expectedInWords({ visible, hidden, exactly }: Row<"assertions">["expect"]): string {
  if (exactly && visible.length === 0) return "no tool visible";
  const seen = `${exactly ? "exactly " : ""}${visible.length} visible`;
  return hidden.length === 0 ? seen : `${seen}, ${hidden.length} hidden`;
}

/** Visibility tests that are stored with the configuration. */
export const assertions: View<"assertions"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    {
      id: "description",
      header: "Description",
      cell: (row) => <span className="block max-w-64 truncate text-muted">{row.description}</span>,
    },
    {
      id: "expects",
      header: "Expects",
      fields: ["expect"],
      cell: (row) => <span className="whitespace-nowrap text-muted tabular-nums">{expectedInWords(row.expect)}</span>,
    },
    {
      id: "result",
      header: "Result",
      className: "w-full max-w-0 min-w-40",
      cell: (row) => <AssertionBadge name={row.name} why />,
    },
    changedColumn(),
  ],
  blank: {
    name: "",
    description: "",
    given: {
      claims: {},
      persona: null,
      group: null,
      state: null,
      machine: null,
      profile: null,
      capabilities: null,
      intent: null,
      confidence: null,
      labels: [],
    },
    expect: { visible: [], hidden: [], exactly: false },
  },
  toInput: withoutMeta,
  Actions: AssertionRun,
  Badges: ({ row }) => <AssertionBadge name={row.name} />,
  Detail: [{ value: "result", label: "Result", Panel: AssertionResult }],
  Fields,
};
