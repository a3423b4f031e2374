import { FlowImpact } from "@/components/flow/flow-impact";
import { same } from "@/components/resource/editor/changes";
import { bind, within } from "@/components/resource/editor/bind";
import type { Draft } from "@/components/resource/editor/draft";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { StatedListField } from "@/components/resource/fields/stated-list-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import { useNamesWithStaged, withDefaultGroup } from "@/components/resource/use-names";
import type { FieldsProps, View } from "@/components/resource/view";
import { EnabledFields } from "@/components/views/enabled-fields";
import { GuessedFlow } from "@/components/views/tools/guessed-flow";
import { OutputCheckField } from "@/components/views/tools/output-check-field";
import { ToolAnnotations } from "@/components/views/tools/tool-annotations";
import { ToolIdentity } from "@/components/views/tools/tool-identity";
import { ToolLimits } from "@/components/views/tools/tool-limits";
import { ToolRun } from "@/components/views/tools/tool-run";
import { ToolSchemas } from "@/components/views/tools/tool-schemas";
import { ToolSummary } from "@/components/views/tools/tool-summary";
import { OUTWARD } from "@/lib/access/model/flow";
import type { Input, Row } from "@/lib/resources";

type ToolDraft = Draft<Input<"tools">>;

/** The first fields of a tool, below a summary of what is stored. */
export function ToolFields({ draft, row }: FieldsProps<"tools">) {
  return (
    <>
      {row !== null && <ToolSummary tool={row} />}
      <General draft={draft} />
    </>
  );
}

/** The other parts of a tool's form. */
export const TOOL_PARTS: NonNullable<View<"tools">["parts"]> = [
  { value: "limits", label: "Limits", Panel: ToolLimits },
  { value: "approval", label: "Approval", Panel: Approval },
  { value: "flow", label: "Flow", Panel: Flow },
  { value: "run", label: "Run", Panel: Run },
  { value: "schema", label: "Schema", Panel: ToolSchemas },
];

function General({ draft }: { draft: ToolDraft }) {
  return (
    <>
      <Section title="Tool" description="Names and descriptions for agents and people.">
        {draft.isNew && <ToolIdentity draft={draft} />}
        <div className="grid grid-cols-2 gap-3">
          <TextField {...bind(draft, "name")} label="Exposed name" hint="The name that agents see" mono />
          <OptionalTextField {...bind(draft, "displayName")} label="Display name" />
        </div>
        <TextField {...bind(draft, "description")} label="Description" hint="Agents read this" multiline />
        <OptionalTextField
          {...bind(draft, "guidance")}
          label="Guidance"
          hint="Say when to use the tool and when not. Quartermaster appends it to the description"
          multiline
        />
        <div className="grid grid-cols-2 gap-3">
          <OptionalTextField {...bind(draft, "category")} label="Category" />
          <OptionalTextField {...bind(draft, "version")} label="Version" />
        </div>
      </Section>
      <Availability draft={draft} />
      <Access draft={draft} />
    </>
  );
}

function Availability({ draft }: { draft: ToolDraft }) {
  return (
    <>
      <Section title="Availability">
        <EnabledFields
          enabled={bind(draft, "enabled")}
          reason={bind(draft, "disabledReason")}
          reasonHint="Agents get this reason when they call the tool"
        />
        <ChoiceField
          {...bind(draft, "status")}
          label="Status"
          className="max-w-64"
          options={[
            { value: "active", label: "Active" },
            { value: "deprecated", label: "Deprecated", hint: "Removed upstream, or retired by a person. Hidden" },
            { value: "quarantined", label: "Quarantined", hint: "Its definition changed. Hidden until approved" },
          ]}
        />
      </Section>
      <Section title="State" description="Used for callers without a state machine.">
        <StatedListField
          {...bind(draft, "availableInStates")}
          label="Available in states"
          options={[]}
          modes={{
            unstated: { label: "Not set", means: "Available in every state" },
            none: { label: "None", means: "Available in no state" },
            all: { label: "All", means: "Explicitly available in every state" },
            these: { label: "These", means: "Available only in these states" },
          }}
        />
        <OptionalTextField
          {...bind(draft, "state")}
          label="Next state"
          hint="The state after a successful call"
          placeholder="unchanged"
        />
      </Section>
    </>
  );
}

function Access({ draft }: { draft: ToolDraft }) {
  const groups = useNamesWithStaged("groups").picker;
  return (
    <>
      <Section
        title="Membership"
        description="Groups that the tool is put into directly. Others select it, for example by its tags, or include it."
      >
        <StatedListField
          {...bind(draft, "groups")}
          label="Assigned groups"
          {...groups}
          options={withDefaultGroup(groups.options)}
          strict
          modes={{
            unstated: { label: "Not set", means: "The tool is in the group default" },
            none: { label: "None", means: "The tool is in no group unless a group selects or includes it" },
            these: { label: "These", means: "The tool is in these groups" },
          }}
        />
        <ChipsField {...bind(draft, "tags")} label="Tags" />
        <ChipsField {...bind(draft, "labels")} label="Labels" />
      </Section>
      <Section title="Access">
        <ChipsField {...bind(draft, "requiredCapabilities")} label="Required capabilities" mono />
        <ChipsField
          {...bind(draft, "requiredScopes")}
          label="Required scopes"
          hint={`The caller's token must have these scopes${scopesOfSource(draft.value.upstreamScopes)}`}
          mono
        />
      </Section>
    </>
  );
}

function Approval({ draft }: { draft: ToolDraft }) {
  return (
    <>
      <Section
        title="Approval"
        description="Whether calls change something, and whether a person must approve them first."
      >
        <SwitchField
          {...bind(draft, "requiresApproval")}
          label="Require approval"
          hint="A call then waits under Approvals until an editor or an admin answers. The caller still needs a policy that grants the tool"
        />
        <SwitchField
          {...bind(draft, "hasSideEffects")}
          label="Has side effects"
          hint="Under Settings › General settings, approval can be required for every tool with side effects"
        />
      </Section>
      <Section title="Annotations" description="Hints for MCP clients and models. They do not change approvals.">
        <ToolAnnotations bound={bind(draft, "annotations")} />
      </Section>
    </>
  );
}

function Flow({ draft, row }: FieldsProps<"tools">) {
  const labels = useNamesWithStaged("labels");
  const flow = bind(draft, "flow");
  return (
    <>
      <Section title="Flow" description="Flow rules restrict tools for callers that hold labels.">
        <GuessedFlow draft={draft} labels={labels} />
        <ChipsField
          {...within(flow, "raises")}
          label="Raises labels"
          hint="A caller holds them once it has called this tool"
          {...labels.picker}
          strict
        />
        <ChipsField
          {...within(flow, "is")}
          label="Classes"
          hint="outward: the tool can send data out. Flow rules can name other classes too"
          options={[{ value: OUTWARD }]}
          mono
        />
      </Section>
      {row !== null && <FlowOnCalls draft={draft} row={row} />}
    </>
  );
}

/** What a change of the tool's flow would have done to past calls. */
function FlowOnCalls({ draft, row }: { draft: ToolDraft; row: Row<"tools"> }) {
  const { flow, flowGuess } = draft.value;
  if (same([flow, flowGuess], [row.flow, row.flowGuess])) return null;
  return <FlowImpact change={{ resource: "tools", id: row.id, input: draft.value }} />;
}

function Run({ draft }: { draft: ToolDraft }) {
  return (
    <Section title="Run" description="What happens when an agent calls the tool.">
      <ToolRun bound={bind(draft, "run")} />
      <SwitchField
        {...bind(draft, "longRunning")}
        label="Long-running"
        hint="The agent gets a call id at once and reads the result later"
      />
      <OutputCheckField bound={bind(draft, "outputCheck")} inherited="Same as the source" />
    </Section>
  );
}

/** The scopes that the tool inherits from its source, which cannot be edited here. */
function scopesOfSource(scopes: readonly string[]): string {
  if (scopes.length === 0) return "";
  return `. If the source exchanges the caller's token, ${scopes.join(", ")} ${scopes.length === 1 ? "is" : "are"} required too`;
}
