import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem, problemsByField, request } from "@/components/resource/request";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/forms/field";
import { Input } from "@/components/ui/forms/input";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import type { HeldLabelRow } from "@/lib/contracts/log/held-label";

interface ClearLabelProps {
  label: string;
  holder: Pick<HeldLabelRow, "issuer" | "subject" | "session" | "lastAt">;
  queryKey: readonly string[];
  onClose: () => void;
}

/** The held label that a person clears, as the list shows it now: a later call may have raised it since they began. */
export function latestOf<T extends HeldLabelRow>(items: readonly T[] | undefined, begun: T): T {
  return items?.find((item) => keyOfHeld(item) === keyOfHeld(begun)) ?? begun;
}

function keyOfHeld({ issuer, subject, session, ...rest }: HeldLabelRow & { readonly label?: string }): string {
  return JSON.stringify([issuer, subject, session, rest.label]);
}

/** The `lastAt` that a clear sends: as the person saw it first. A later one replaces it only after a refusal. */
export function useSeenTime(listed: string) {
  const [seen, setSeen] = useState(listed);
  const [isRefused, setRefused] = useState(false);
  if (isRefused && listed !== seen) {
    setSeen(listed);
    setRefused(false);
  }
  return { seen, refuse: () => setRefused(true) };
}

interface ClearButtonProps {
  /** Whether the holder is the person's own caller or agent. */
  isOwn: boolean;
  onClick: () => void;
  className?: string;
  "aria-label": string;
}

/** The button that begins to clear a label. On the person's own caller or agent it says who must clear it instead. */
export function ClearButton({ isOwn, ...button }: ClearButtonProps) {
  if (isOwn)
    return (
      <span className="text-xs text-pretty whitespace-normal text-muted">
        Another administrator or editor must clear it: you created this agent or one of its keys, or you connected it
      </span>
    );
  return (
    <Button variant="ghost" size="sm" {...button}>
      Clear…
    </Button>
  );
}

/** Takes a label from one caller or run, with a reason. */
export function ClearLabel({
  label,
  holder: { issuer, subject, session, lastAt: listed },
  queryKey,
  onClose,
}: ClearLabelProps) {
  const [reason, setReason] = useState("");
  const { seen, refuse } = useSeenTime(listed);
  const client = useQueryClient();
  const clear = useMutation({
    mutationFn: () =>
      request<undefined>(`/api/admin/labels/${label}/clear`, {
        method: "POST",
        body: { issuer, subject, session, lastAt: seen, reason },
      }),
    onSuccess: async () => {
      onClose();
      toast({ title: `${subject} no longer holds ${label}` });
      // The tools that the caller sees come back with it.
      await client.invalidateQueries();
    },
    // A later call may have raised the label. The list then shows it, and the next attempt sends its time.
    onError: async (error) => {
      await client.invalidateQueries({ queryKey });
      if (error instanceof Problem && error.code === "stale") refuse();
    },
  });
  const { at, other } = problemsByField(clear.error, ["reason"]);
  return (
    <ActionDialog
      title={`Clear ${label} for ${subject}?`}
      description="Tools that flow rules hide for this label return to the caller's list. The audit trail shows your reason."
      action="Clear label"
      pending={clear.isPending}
      disabled={reason.trim() === ""}
      error={other}
      isForm
      onAct={() => clear.mutate()}
      onClose={onClose}
    >
      <Field label="Reason" error={at.reason} path="reason">
        <Input value={reason} onChange={(event) => setReason(event.target.value)} />
      </Field>
    </ActionDialog>
  );
}
