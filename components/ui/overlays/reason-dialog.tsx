import { useState, type ReactNode } from "react";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";
import { Kbd } from "@/components/ui/kbd";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

/** Most characters of a reason. */
const MAX_REASON = 500;

interface ReasonDialogProps {
  title: string;
  description: string;
  /** The text of the button that acts. */
  action: string;
  tone: "primary" | "danger";
  pending: boolean;
  disabled?: boolean;
  /** Whether the action needs a reason. */
  required?: boolean;
  error: string | undefined;
  /** Who reads the reason. */
  hint: string;
  onSend: (reason: string) => void;
  onClose: () => void;
  /** Above the reason. */
  children?: ReactNode;
}

/** A dialog that shows the effect of an answer and asks for a reason. Ctrl-Enter sends it. */
export function ReasonDialog({
  action,
  hint,
  pending,
  disabled: isDisabled = false,
  required = false,
  onSend,
  children,
  ...dialog
}: ReasonDialogProps) {
  const [reason, setReason] = useState("");
  const disabled = isDisabled || (required && reason.trim() === "");
  const send = () => onSend(reason);
  return (
    <ActionDialog
      {...dialog}
      action={
        <>
          {action} <Kbd>Ctrl Enter</Kbd>
        </>
      }
      pending={pending}
      disabled={disabled}
      isForm
      onAct={send}
      onConfirm={pending || disabled ? undefined : send}
    >
      {children}
      <Field label={required ? "Reason" : "Reason (optional)"} hint={hint} path="reason">
        <Textarea value={reason} maxLength={MAX_REASON} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ActionDialog>
  );
}
