import { bind, within } from "@/components/resource/editor/bind";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { NumberField, OptionalNumberField } from "@/components/resource/fields/number-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { Section } from "@/components/resource/section";
import { SettingsEditor, type SettingsFieldsProps } from "@/components/settings/settings-editor";
import { REVIEW_OPTIONS } from "@/components/settings/settings-words";
import { TextLink } from "@/components/ui/text-link";

/** The installation's settings, except routing, which is on the page of intents. */
export function SettingsScreen({ canWrite }: { canWrite: boolean }) {
  return (
    <div className="flex min-h-full flex-1 flex-col">
      <div className="px-5 pt-4">
        <h1 className="sr-only">General settings</h1>
        <p className="max-w-4xl text-sm text-pretty text-muted">
          These settings apply to the whole installation from the next call.{" "}
          {!canWrite && "Only administrators can change them. "}
          Routing thresholds are under <TextLink href="/admin/intents">Intent routing</TextLink>.
        </p>
      </div>
      <SettingsEditor canWrite={canWrite} Fields={Fields} name="settings" />
    </div>
  );
}

function Fields({ draft }: SettingsFieldsProps) {
  const approvals = bind(draft, "approvals");
  return (
    <>
      <Section title="Sessions and states" description="How long sessions live, and which tools they start with.">
        <NumberField
          {...bind(draft, "sessionHours")}
          label="Session lifetime (hours)"
          hint="A session expires after this time without use"
          className="[&_input]:max-w-64"
        />
        <SwitchField
          {...bind(draft, "openStart")}
          label="All tools at the start"
          hint="With the built-in state machine, every tool is available until a call changes the state. If off, each tool is available only in its states"
        />
      </Section>
      <Section title="Approvals" description="Which calls of agents wait for a person, and for how long.">
        <SwitchField
          {...within(approvals, "sideEffects")}
          label="Require approval for every tool with side effects"
          hint="If off, only tools with “Require approval” need one"
        />
        <NumberField
          {...within(approvals, "minutes")}
          label="Time to answer (minutes)"
          hint="After this time, the call is refused. An approved call must start within the same time"
          className="[&_input]:max-w-64"
        />
      </Section>
      <Section title="Reviews" description="Which changes of the configuration wait for a second person.">
        <ChoiceField
          {...within(bind(draft, "review"), "changes")}
          label="Changes that wait"
          hint="Needs two people with the role admin or editor. Only admins approve changes of settings and users"
          options={REVIEW_OPTIONS}
        />
        <NumberField
          {...within(bind(draft, "review"), "bypassHours")}
          label="Time to confirm an emergency change (hours)"
          hint="An admin can apply a change without review. Unless a second person confirms it within this time, it is reverted. 1 to 72 hours"
          className="[&_input]:max-w-64"
        />
      </Section>
      <ClientSignIn draft={draft} />
      <Caches draft={draft} />
      <Log draft={draft} />
    </>
  );
}

function ClientSignIn({ draft }: SettingsFieldsProps) {
  return (
    <Section
      title="Client sign-in"
      description="MCP clients such as Claude and VS Code sign people in here and act as an agent."
    >
      <SwitchField
        {...within(bind(draft, "clientSignIn"), "enabled")}
        label="Let people connect clients"
        hint="If off, every connection stops working. API keys and tokens of issuers still work"
      />
      <SwitchField
        {...within(bind(draft, "clientSignIn"), "registration")}
        label="Let clients register themselves"
        hint="For clients that publish no client document. Anybody who reaches this server can register one"
      />
    </Section>
  );
}

function Caches({ draft }: SettingsFieldsProps) {
  const cache = bind(draft, "cache");
  return (
    <Section
      title="Caches"
      description="Caches answers for repeated requests. A saved change clears them. 0 turns a cache off."
    >
      <div className="flex flex-wrap gap-4">
        <NumberField
          {...within(cache, "accessSeconds")}
          label="Granted groups (seconds)"
          hint="How long the matching policies of a caller are cached"
          className="max-w-64 flex-1"
        />
        <NumberField
          {...within(cache, "groupSeconds")}
          label="Tool lists (seconds)"
          hint="How long the tool list for a caller is cached"
          className="max-w-64 flex-1"
        />
      </div>
    </Section>
  );
}

function Log({ draft }: SettingsFieldsProps) {
  const retention = bind(draft, "retention");
  return (
    <Section title="Log" description="What the log masks, and how long it keeps data.">
      <ChipsField
        {...bind(draft, "redact")}
        label="Keys to redact"
        hint="Key names at any depth, or dotted paths from the root such as card.number. Quartermaster masks their values before it stores a call. Stored calls do not change"
        mono
      />
      <div className="flex flex-wrap gap-4">
        <OptionalNumberField
          {...within(retention, "months")}
          label="Months to keep"
          placeholder="all"
          hint="Full months besides the current one. 14 months are at least 400 days. Older calls and audit events are archived, then dropped. Their seals stay"
          className="max-w-64 flex-1"
        />
        <OptionalNumberField
          {...within(retention, "bodyDays")}
          label="Days to keep arguments and results"
          placeholder="as long as the calls"
          hint="After this time they are erased permanently. The calls stay in the log"
          className="max-w-64 flex-1"
        />
      </div>
      <SwitchField
        {...within(retention, "archiveBodies")}
        label="Archive arguments and results too"
        hint="If off, archives contain the calls alone. Later erasures do not change archives"
      />
    </Section>
  );
}
