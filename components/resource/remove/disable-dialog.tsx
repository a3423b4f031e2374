import { useState } from "react";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

interface DisableDialogProps {
  id: string;
  /** What happens. */
  effect?: string | undefined;
  onClose: () => void;
  onDisable: (reason: string) => void;
}

/** Asks why a row is disabled. */
export function DisableDialog({ id, effect, onClose, onDisable }: DisableDialogProps) {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const disable = () => {
    const text = reason.trim();
    setMissing(text === "");
    if (text !== "") onDisable(text);
  };
  return (
    <ActionDialog
      size="sm"
      title={`Disable ${id}`}
      description={effect ?? "Takes effect at once, until somebody enables it again."}
      action="Disable"
      tone="danger"
      isForm
      onAct={disable}
      onClose={onClose}
    >
      <DisabledReason value={reason} onChange={setReason} error={missing ? "Enter the reason" : undefined} />
    </ActionDialog>
  );
}

interface DisabledReasonProps {
  value: string;
  onChange: (reason: string) => void;
  error?: string | undefined;
}

/** The field for the reason why something is disabled. */
export function DisabledReason({ value, onChange, error }: DisabledReasonProps) {
  return (
    <Field label="Reason (required)" hint="Shown in lists, and to agents that lose access" error={error}>
      <Textarea value={value} maxLength={500} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}
