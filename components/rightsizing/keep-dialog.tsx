import { useState } from "react";
import { useKeep } from "@/components/rightsizing/use-rightsizing";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";

interface KeepDialogProps {
  policy: string;
  tool: string;
  onClose: () => void;
}

/** Marks an unused tool to keep, with a reason. */
export function KeepDialog({ policy, tool, onClose }: KeepDialogProps) {
  const [reason, setReason] = useState("");
  const keep = useKeep(policy, onClose);
  return (
    <ActionDialog
      title={`Keep ${tool}`}
      description="The tool no longer counts as unused for this policy."
      action="Keep tool"
      isForm
      pending={keep.isPending}
      error={keep.error?.message}
      disabled={reason.trim() === ""}
      onAct={() => keep.mutate({ tools: [tool], reason: reason.trim() })}
      onClose={onClose}
    >
      <Field label="Reason" path="reason" hint="Why callers need the tool">
        <Input id="reason" value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ActionDialog>
  );
}
