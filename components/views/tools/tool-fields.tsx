"use client";

import { bind, within } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { JsonField } from "@/components/resource/fields/json-field";
import { OptionalNumberField } from "@/components/resource/fields/number-field";
import { StatedListField } from "@/components/resource/fields/stated-list-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField, TextField } from "@/components/resource/fields/text-field";
import { Section } from "@/components/resource/section";
import { useNames } from "@/components/resource/use-names";
import type { FieldsProps } from "@/components/resource/view";
import { EnabledFields } from "@/components/views/enabled-fields";
import { LimitsFields } from "@/components/views/tools/limits";
import { OutputCheckField } from "@/components/views/tools/output-check-field";
import { ToolAnnotations } from "@/components/views/tools/tool-annotations";
import { ToolIdentity } from "@/components/views/tools/tool-identity";
import { ToolRun } from "@/components/views/tools/tool-run";

/** The form of a tool. Its id, and so its source and operation, never change. */
export function ToolFields({ draft }: FieldsProps<"tools">) {
  const groups = useNames("groups");
  const limits = bind(draft, "limits");
  return (
    <>
      <Section title="Tool" description="What models and people read.">
        {draft.isNew && <ToolIdentity draft={draft} />}
        <div className="grid grid-cols-2 gap-3">
          <TextField {...bind(draft, "name")} label="Exposed name" hint="As agents see it." mono />
          <OptionalTextField {...bind(draft, "displayName")} label="Display name" />
        </div>
        <TextField {...bind(draft, "description")} label="Description" hint="The model reads this." multiline />
        <OptionalTextField
          {...bind(draft, "guidance")}
          label="Guidance"
          hint="When to use it and when not; appended to the description."
          multiline
        />
        <div className="grid grid-cols-2 gap-3">
          <OptionalTextField {...bind(draft, "category")} label="Category" />
          <OptionalTextField {...bind(draft, "version")} label="Version" />
        </div>
      </Section>
      <Section title="Availability">
        <EnabledFields
          enabled={bind(draft, "enabled")}
          reason={bind(draft, "disabledReason")}
          reasonHint="Agents are told this when they call this tool"
        />
        <ChoiceField
          {...bind(draft, "status")}
          label="Status"
          className="max-w-64"
          options={[
            { value: "active", label: "Active" },
            { value: "deprecated", label: "Deprecated", hint: "Gone upstream: hidden" },
            { value: "quarantined", label: "Quarantined", hint: "Its definition changed: hidden until approved" },
          ]}
        />
      </Section>
      <Section title="Membership" description="Selectors of groups read tags and labels.">
        <StatedListField
          {...bind(draft, "groups")}
          label="Groups"
          options={groups}
          strict
          modes={{
            unstated: { label: "Not stated", means: "It is in the group default." },
            none: {
              label: "None",
              means: "It declares to be in no group, not even default. Selectors may still take it in.",
            },
            these: { label: "These", means: "It is in these groups, and not in default unless named." },
          }}
        />
        <ChipsField {...bind(draft, "tags")} label="Tags" />
        <ChipsField {...bind(draft, "labels")} label="Labels" />
      </Section>
      <Section title="State" description="For callers without a named state machine.">
        <StatedListField
          {...bind(draft, "availableInStates")}
          label="Available in states"
          options={[]}
          modes={{
            unstated: { label: "Not stated", means: "Available in every state." },
            none: { label: "None", means: "Available in no state." },
            all: { label: "All", means: "Stated: available in every state." },
            these: { label: "These", means: "Available in these states only." },
          }}
        />
        <OptionalTextField
          {...bind(draft, "state")}
          label="Moves to state"
          hint="After a successful call."
          placeholder="moves nothing"
        />
      </Section>
      <Section title="Access">
        <ChipsField {...bind(draft, "requiredCapabilities")} label="Required capabilities" mono />
        <ChipsField
          {...bind(draft, "requiredScopes")}
          label="Required scopes"
          hint={`The caller's token must carry them at the call.${scopesOfSource(draft.value.upstreamScopes)}`}
          mono
        />
        <SwitchField {...bind(draft, "requiresApproval")} label="A person approves each call" />
      </Section>
      <Section title="Behaviour">
        <SwitchField {...bind(draft, "hasSideEffects")} label="Has side effects" />
        <SwitchField {...bind(draft, "longRunning")} label="Runs long" hint="Calls are answered later." />
        <OutputCheckField bound={bind(draft, "outputCheck")} inherited="As the source says" />
        <ToolAnnotations bound={bind(draft, "annotations")} />
      </Section>
      <Section title="Limits" description="Empty is the house default.">
        <div className="grid grid-cols-2 gap-3">
          <OptionalNumberField {...within(limits, "timeoutSeconds")} label="Timeout in seconds" placeholder="default" />
          <OptionalNumberField {...within(limits, "retries")} label="Retries" placeholder="default" />
          <OptionalNumberField {...within(limits, "answerMiB")} label="Answer in MiB" placeholder="1" />
        </div>
        <OptionalTextField
          {...bind(draft, "idempotencyHeader")}
          label="Idempotency header"
          placeholder="as the source"
          hint="Name it only if the upstream honours idempotency keys: failed calls are then sent again"
          mono
        />
        <LimitsFields bound={limits} of="All callers together" />
        <LimitsFields bound={within(limits, "perCaller")} of="Each caller" />
      </Section>
      <Section title="Run" description="What a call does.">
        <ToolRun bound={bind(draft, "run")} />
      </Section>
      <Section title="Schemas" description="JSON Schema of the arguments and of the result.">
        <JsonField {...bind(draft, "inputSchema")} label="Input schema" rows={10} />
        <JsonField {...bind(draft, "outputSchema")} label="Output schema" nullable rows={4} />
      </Section>
    </>
  );
}

/** The scopes that the tool inherits from its source, which cannot be edited here. */
function scopesOfSource(scopes: readonly string[]): string {
  if (scopes.length === 0) return "";
  return ` Its source asks for ${scopes.join(", ")}: required too where it exchanges the caller's token.`;
}
