"use client";

import { useId, useState, type FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Textarea } from "@/components/ui/forms/textarea";

interface DisableDialogProps {
  id: string;
  onClose: () => void;
  onDisable: (reason: string) => void;
}

/** Asks why a row is disabled. */
export function DisableDialog({ id, onClose, onDisable }: DisableDialogProps) {
  const form = useId();
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = reason.trim();
    setMissing(text === "");
    if (text !== "") onDisable(text);
  };
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title={`Disable ${id}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="danger">
            Disable
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit}>
        <DisabledReason value={reason} onChange={setReason} error={missing ? "Enter the reason" : undefined} />
      </form>
    </Dialog>
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
    <Field
      label="Reason"
      hint="Administrators see the reason in lists. Agents that lose access get it too"
      error={error}
    >
      <Textarea value={value} maxLength={500} onChange={(event) => onChange(event.target.value)} />
    </Field>
  );
}
