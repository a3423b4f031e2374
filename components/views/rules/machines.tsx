import { parseAsStringLiteral, useQueryState } from "nuqs";
import { toOptions } from "@/components/ui/forms/options";
import { findingsColumn } from "@/components/findings/finding-badge";
import { FindingsNotice } from "@/components/findings/findings-notice";
import { DesignGraph } from "@/components/machines/design-graph";
import { MachineLint } from "@/components/machines/machine-lint";
import { RulesTable } from "@/components/machines/rules-table";
import { MachineUse } from "@/components/views/rules/machine-use";
import { Simulate } from "@/components/machines/simulate";
import { StatesTable } from "@/components/machines/states-table";
import { useMachineActivity } from "@/components/machines/use-machine-activity";
import { useMachineLint } from "@/components/machines/use-machine-lint";
import { NAME_COLUMN, textColumn } from "@/components/resource/columns";
import { bind } from "@/components/resource/editor/bind";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { Section } from "@/components/resource/section";
import type { FieldsProps, View } from "@/components/resource/view";
import { useCan } from "@/components/resource/who";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { changedColumn, descriptionColumn } from "@/components/views/changed-column";
import { NameAndDescription } from "@/components/views/name-field";
import { withoutMeta } from "@/components/views/row-input";
import { selectorInWords } from "@/components/views/rules/selector-words";
import type { Input, Row } from "@/lib/resources";

type Machine = Input<"machines">;

const TABS = toOptions({ design: "Design", simulate: "Simulate" });

function Fields({ draft, row }: FieldsProps<"machines">) {
  const [tab, setTab] = useQueryState(
    "tab",
    parseAsStringLiteral(["design", "simulate"]).withDefault("design").withOptions({ history: "push" }),
  );
  const machine = draft.value;
  const activity = useMachineActivity(row);
  const warnings = useMachineLint(machine, row);
  return (
    <Tabs aria-label="Parts of the machine" value={tab} onChange={(next) => void setTab(next)} tabs={TABS}>
      <TabPanel value="design" keep className="flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[18rem_minmax(0,1fr)]">
          <Section
            title="State machine"
            description="Defines which tools are available in each state, and which successful calls change the state. States ignore arguments: a rule can require the lookup of a booking, not of this booking. An agent uses the state machine that its settings name."
            wide
          >
            <NameAndDescription draft={draft} />
            <SwitchField
              {...bind(draft, "openStart")}
              label="All tools at the start"
              hint="The initial state also has the tools that rules limit to other states"
            />
          </Section>
          {/* Not in a hidden panel, which has no size to fit the graph into. */}
          {tab === "design" && <DesignGraph draft={draft} activity={activity} warnings={warnings} />}
        </div>
        <Section
          title="States"
          description="Mark a state as terminal if the run may end there. Other states that no tool leaves get a warning."
          wide
        >
          <StatesTable draft={draft} sessionsIn={activity.sessionsIn} />
        </Section>
        <Section
          title="Rules"
          description="A tool without a rule is available in every state and never changes it. A rule for a tool is used before rules with selectors. Of several selectors that match, the first is used."
          wide
        >
          <RulesTable draft={draft} callsBy={activity.callsBy} />
        </Section>
        {/* Last, because it appears and disappears during edits and must not move what a person is about to click. */}
        <MachineLint warnings={warnings} />
      </TabPanel>
      <TabPanel value="simulate" className="flex flex-col gap-4">
        <MachineLint warnings={warnings} />
        <Simulate machine={machine} row={row} activity={activity} warnings={warnings} />
      </TabPanel>
    </Tabs>
  );
}

/** For readers who may not save: the form's warnings say the same, about the draft, to everybody else. */
function StoredFindings({ row }: { row: Row<"machines"> }) {
  return useCan("configuration:write") ? null : <FindingsNotice about="machine" name={row.name} />;
}

export const machines: View<"machines"> = {
  sort: "name",
  columns: [
    NAME_COLUMN,
    descriptionColumn(),
    textColumn("states", "States", (row) => row.states.map((state) => state.name).join(" → "), {
      className: "max-w-72",
    }),
    {
      id: "rules",
      header: "Rules",
      className: "text-right",
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
    states: (state: Machine["states"][number]) =>
      [state.name, state.terminal ? "terminal" : "", state.colour ?? ""].filter((part) => part !== "").join(", "),
    rules: ruleInWords,
  },
  Notice: ({ row }) => (
    <>
      <MachineUse machine={row.name} />
      <StoredFindings row={row} />
    </>
  ),
  Fields,
  fillsPage: true,
};

function ruleInWords({ tool, selector, availableIn, transitions }: Machine["rules"][number]): string {
  const tools = tool ?? (selector === null ? "no tool" : selectorInWords(selector));
  const where = availableIn === null ? "every state" : availableIn.length === 0 ? "no state" : availableIn.join(", ");
  const moves = transitions.map(({ from, to }) => `${from === "*" ? "any state" : from} → ${to}`);
  return [`${tools} in ${where}`, ...moves].join(", ");
}
