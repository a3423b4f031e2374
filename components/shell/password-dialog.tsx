import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { problemsByField, request } from "@/components/resource/request";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { toast } from "@/components/ui/overlays/toast";
import { MIN_PASSWORD_LENGTH, type PasswordChange } from "@/lib/contracts/people/password-change";

/** Changes the signed-in person's password. This browser gets a new session; all others end. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<PasswordChange>({ current: "", next: "" });
  const change = useMutation({
    mutationFn: () => request<undefined>("/api/admin/me/password", { method: "PUT", body: draft }),
    onSuccess: () => {
      toast({ title: "Password changed", description: "Your other sessions have ended." });
      onClose();
    },
  });
  const problems = problemsByField(change.error, ["current", "next"]);
  return (
    <ActionDialog
      size="sm"
      title="Change password"
      description="This ends your other sessions. The current session continues."
      action="Change password"
      pending={change.isPending}
      error={problems.other}
      isForm
      onAct={() => change.mutate()}
      onClose={onClose}
    >
      <Field label="Current password" error={problems.at.current}>
        <Input
          type="password"
          autoComplete="current-password"
          required
          value={draft.current}
          onChange={(event) => setDraft({ ...draft, current: event.target.value })}
        />
      </Field>
      <Field label="New password" hint={`At least ${MIN_PASSWORD_LENGTH} characters`} error={problems.at.next}>
        <Input
          type="password"
          autoComplete="new-password"
          required
          value={draft.next}
          onChange={(event) => setDraft({ ...draft, next: event.target.value })}
        />
      </Field>
    </ActionDialog>
  );
}
