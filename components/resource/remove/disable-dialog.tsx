import { useState } from "react";
import { RequiredReason } from "@/components/resource/remove/required-reason";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

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
      <RequiredReason value={reason} onChange={setReason} error={missing ? "Enter the reason" : undefined} />
    </ActionDialog>
  );
}
