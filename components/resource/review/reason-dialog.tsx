import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { useGo } from "@/components/resource/go";
import { installReasonPrompt } from "@/components/resource/review/reason-prompt";
import { ReviewReason } from "@/components/resource/review/review-reason";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestRow } from "@/lib/contracts/changes/request";

interface Prompt {
  readonly sentence: string;
  readonly answer: (reason: string | null) => void;
}

/** Asks for the reason of every change that would wait for a second person, and shows the request that it became. */
export function ReasonDialog() {
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const [reason, setReason] = useState("");
  const client = useQueryClient();
  const go = useGo();
  const show = useEffectEvent((held: RequestRow) => {
    toast({
      title: "The change waits for a second person",
      description: "Nothing changes until the request is approved.",
    });
    void client.invalidateQueries();
    go(`/admin/requests/${encodeURIComponent(held.id)}`);
  });
  useEffect(
    () =>
      installReasonPrompt({
        ask: (sentence) =>
          new Promise((resolve) => {
            setReason("");
            setPrompt((before) => {
              before?.answer(null);
              return { sentence, answer: resolve };
            });
          }),
        show: (held) => show(held),
      }),
    [],
  );
  if (prompt === null) return null;
  const close = (stated: string | null) => {
    setPrompt(null);
    prompt.answer(stated);
  };
  return (
    <ActionDialog
      title="Request review"
      action="Request review"
      isForm
      onAct={() => close(reason.trim())}
      onConfirm={() => close(reason.trim())}
      onClose={() => close(null)}
    >
      <ReviewReason review={{ sentence: prompt.sentence, mayBypass: false }} reason={reason} onReason={setReason} />
    </ActionDialog>
  );
}
