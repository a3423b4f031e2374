"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, request, type FieldProblem } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { toast } from "@/components/ui/overlays/toast";
import { MIN_PASSWORD_LENGTH, type PasswordChange } from "@/lib/contracts/people/password-change";

/** One's own password. The server answers with a new session for this browser; all others end. */
export function PasswordDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<PasswordChange>({ current: "", next: "" });
  const change = useMutation({
    mutationFn: () => request<undefined>("/api/admin/me/password", { method: "PUT", body: draft }),
    onSuccess: () => {
      toast({ title: "Password changed", description: "Your other sessions have ended." });
      onClose();
    },
  });
  const problems = change.error === null ? [] : problemsOf(change.error);
  const errorOf = (path: string) => problems.find((problem) => problem.path === path)?.message;
  const elsewhere = problems.find(({ path }) => path !== "current" && path !== "next")?.message;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Change password"
      description="This ends your other sessions. The current session continues."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="change-password" variant="primary" pending={change.isPending}>
            Change password
          </Button>
        </>
      }
    >
      <form
        id="change-password"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          change.mutate();
        }}
      >
        {elsewhere !== undefined && (
          <p role="alert" className="rounded-md bg-deny-soft px-3 py-2 text-sm text-deny">
            {elsewhere}
          </p>
        )}
        <Field label="Current password" error={errorOf("current")}>
          <Input
            type="password"
            autoComplete="current-password"
            required
            value={draft.current}
            onChange={(event) => setDraft({ ...draft, current: event.target.value })}
          />
        </Field>
        <Field label="New password" hint={`At least ${MIN_PASSWORD_LENGTH} characters`} error={errorOf("next")}>
          <Input
            type="password"
            autoComplete="new-password"
            required
            value={draft.next}
            onChange={(event) => setDraft({ ...draft, next: event.target.value })}
          />
        </Field>
      </form>
    </Dialog>
  );
}

/** The server's problems. One without a field is shown above the form. */
function problemsOf(error: Error): readonly FieldProblem[] {
  const errors = error instanceof Problem ? error.errors : [];
  return errors.length > 0 ? errors : [{ path: "", message: error.message }];
}
