import type { ChangeDraft, PreviewDraft } from "@/components/preview/draft";
import { useTypedNames } from "@/components/resource/use-names";
import { Combobox } from "@/components/ui/forms/combobox";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { Switch } from "@/components/ui/forms/switch";

interface RoutingInputProps {
  draft: PreviewDraft;
  change: ChangeDraft;
  /** Whether the run may have escalated. */
  escalates: boolean;
}

/** Intent and confidence: how routing narrows; without an intent it does not. */
export function RoutingInput({ draft, change, escalates }: RoutingInputProps) {
  const { picker } = useTypedNames("intents");
  return (
    <>
      <div className="grid grid-cols-[1fr_6rem] gap-2">
        <Field label="Intent">
          <Combobox
            {...picker}
            value={draft.intent}
            onChange={(intent) => change({ intent, ...(intent === null && { confidence: null, escalated: false }) })}
            placeholder="No routing"
            creatable
          />
        </Field>
        <Field label="Confidence">
          <Input
            type="number"
            min={0}
            max={1}
            step={0.05}
            disabled={draft.intent === null}
            value={draft.confidence ?? ""}
            placeholder="0"
            onChange={(event) =>
              change({ confidence: event.target.value === "" ? null : clamp(Number(event.target.value)) }, "type")
            }
          />
        </Field>
      </div>
      {escalates && draft.intent !== null && (
        <Switch
          label="Escalated"
          hint="Turns off intent routing, as Quartermaster does when a session makes no progress"
          checked={draft.escalated}
          onChange={(escalated) => change({ escalated })}
        />
      )}
    </>
  );
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
