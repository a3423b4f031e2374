"use client";

import { bind, within } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { NumberField, OptionalNumberField } from "@/components/resource/fields/number-field";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { Section } from "@/components/resource/section";
import { SettingsEditor, type SettingsFieldsProps } from "@/components/settings/settings-editor";
import { TextLink } from "@/components/ui/text-link";

/** The installation's settings, except routing, which is on the page of intents. */
export function SettingsScreen({ canWrite }: { canWrite: boolean }) {
  return (
    <div className="flex min-h-full flex-1 flex-col">
      <div className="px-5 pt-4">
        <h1 className="sr-only">General settings</h1>
        <p className="max-w-4xl text-sm text-pretty text-muted">
          They hold for the whole installation, from the next call on. {!canWrite && "Administrators change them. "}
          The thresholds of routing are on <TextLink href="/admin/intents">Intent routing</TextLink>.
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
      <Section title="Sessions and states" description="Where a run of an agent starts, and how long it lasts.">
        <NumberField
          {...bind(draft, "sessionHours")}
          label="Session lifetime (hours)"
          hint="A session expires this long after it was last used."
          className="[&_input]:max-w-64"
        />
        <SwitchField
          {...bind(draft, "openStart")}
          label="Open at the start"
          hint="With the built-in state machine, every tool is available until a first tool moves the state; off: tools that state other states wait for them."
        />
      </Section>
      <Section title="Approvals" description="Calls that wait for a person before they run.">
        <SwitchField
          {...within(approvals, "sideEffects")}
          label="For every tool with side effects"
          hint="Off: only for tools that ask for an approval themselves."
        />
        <NumberField
          {...within(approvals, "minutes")}
          label="Time to answer (minutes)"
          hint="A call that nobody approved by then is refused; one that was approved has to start within the same time."
          className="[&_input]:max-w-64"
        />
      </Section>
      <Caches draft={draft} />
      <Log draft={draft} />
    </>
  );
}

function Caches({ draft }: SettingsFieldsProps) {
  const cache = bind(draft, "cache");
  return (
    <Section
      title="Caches"
      description="Answers that are remembered for a caller who asks the same again. A saved change ends them at once; 0 turns one off."
    >
      <div className="flex flex-wrap gap-4">
        <NumberField
          {...within(cache, "accessSeconds")}
          label="Granted groups (seconds)"
          hint="How long the policies that match a caller's claims are remembered."
          className="max-w-64 flex-1"
        />
        <NumberField
          {...within(cache, "groupSeconds")}
          label="Tool lists (seconds)"
          hint="How long the list that follows from them is remembered."
          className="max-w-64 flex-1"
        />
      </div>
    </Section>
  );
}

function Log({ draft }: SettingsFieldsProps) {
  const retention = bind(draft, "retention");
  return (
    <Section title="The log" description="What never reaches storage, and what leaves it by itself.">
      <ChipsField
        {...bind(draft, "redact")}
        label="Redact also"
        hint="Key names, anywhere, or dotted paths from the root (card.number); their values are blotted out before anything is stored. What was stored before stays as it is."
        mono
      />
      <div className="flex flex-wrap gap-4">
        <OptionalNumberField
          {...within(retention, "months")}
          label="Months that are kept"
          placeholder="all"
          hint="Whole months besides the present one; 14 are 400 days at least. Older ones, calls and audit events, are archived and then dropped; their seals stay."
          className="max-w-64 flex-1"
        />
        <OptionalNumberField
          {...within(retention, "bodyDays")}
          label="Days that bodies are kept"
          placeholder="as long as their rows"
          hint="Arguments and results are erased after that, for good; their rows stay."
          className="max-w-64 flex-1"
        />
      </div>
      <SwitchField
        {...within(retention, "archiveBodies")}
        label="Archive bodies too"
        hint="Off: archives hold rows without what was said. What is in an archive, an erasure does not reach."
      />
    </Section>
  );
}
