import type { ReactNode } from "react";
import type { Bound } from "@/components/resource/editor/bind";
import { SwitchField } from "@/components/resource/fields/switch-field";
import { OptionalTextField } from "@/components/resource/fields/text-field";

interface EnabledFieldsProps {
  enabled: Bound<boolean>;
  reason: Bound<string | null>;
  hint?: ReactNode;
  /** Says which agents see the reason, and when. */
  reasonHint: string;
}

/** The switch that disables a row. Disabling requires a reason before the row can be saved. */
export function EnabledFields({ enabled, reason, hint, reasonHint }: EnabledFieldsProps) {
  const setReason = (text: string | null, untouched = false) => {
    reason.of.block(reason.path, text === null || text.trim() === "" ? "Enter the reason" : null, untouched);
    reason.onChange(text);
  };
  const setEnabled = (on: boolean) => {
    enabled.onChange(on);
    if (on) {
      reason.of.block(reason.path, null);
      reason.onChange(null);
    } else setReason(reason.value, true);
  };
  return (
    <>
      <SwitchField {...enabled} onChange={setEnabled} label="Enabled" hint={hint} />
      {!enabled.value && (
        <OptionalTextField
          {...reason}
          onChange={(text) => setReason(text)}
          label="Reason for disabling"
          hint={reasonHint}
          multiline
        />
      )}
    </>
  );
}
