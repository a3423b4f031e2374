import { bind, within } from "@/components/resource/editor/bind";
import { ChipsField } from "@/components/resource/fields/chips-field";
import { ChoiceField } from "@/components/resource/fields/choice-field";
import { NumberField } from "@/components/resource/fields/number-field";
import { useTypedNames } from "@/components/resource/use-names";
import { RoutingPicture } from "@/components/settings/routing-picture";
import { SettingsEditor, type SettingsFieldsProps } from "@/components/settings/settings-editor";

const MODES = [
  { value: "conservative", label: "Conservative", hint: "A confidence below medium keeps every tool" },
  { value: "strict", label: "Strict", hint: "A confidence below medium counts as medium" },
] as const;

/** The settings by which an intent's confidence narrows a list; shown above the intents. */
export function RoutingPanel({ canWrite }: { canWrite: boolean }) {
  return (
    <section aria-label="Routing" className="flex shrink-0 flex-col border-b border-line bg-panel">
      <SettingsEditor canWrite={canWrite} Fields={Fields} name="routing" />
    </section>
  );
}

function Fields({ draft }: SettingsFieldsProps) {
  const routing = bind(draft, "routing");
  const resolution = useTypedNames("groups").picker;
  const always = useTypedNames("groups").picker;
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-4 lg:grid-cols-[6rem_6rem_11rem_minmax(0,1fr)_minmax(0,1fr)]">
        <NumberField {...within(routing, "high")} label="High" hint="0 to 1" />
        <NumberField {...within(routing, "medium")} label="Medium" hint="below high" />
        <ChoiceField {...within(routing, "mode")} label="Below medium" options={MODES} />
        <ChipsField
          {...within(routing, "resolutionGroups")}
          {...resolution}
          label="Resolution groups"
          hint="Kept when the confidence is below high, to help clarify the intent"
        />
        <ChipsField
          {...within(routing, "alwaysGroups")}
          {...always}
          label="Always groups"
          hint="Kept for every intent and confidence"
        />
      </div>
      <RoutingPicture routing={draft.value.routing} />
    </div>
  );
}
