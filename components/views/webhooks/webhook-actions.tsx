import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RefreshCw, Send } from "lucide-react";
import { useState } from "react";
import { useSendTest } from "@/components/deliveries/use-deliveries";
import { request } from "@/components/resource/request";
import { SecretDialog } from "@/components/resource/secret-dialog";
import { Button } from "@/components/ui/button";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import type { WebhookRow } from "@/lib/resources/webhook";
import { OVERLAP_HOURS } from "@/lib/resources/parts/webhook-events";

/** Sends a test message, and replaces the secret. */
export function WebhookActions({ row }: { row: WebhookRow }) {
  const test = useSendTest(row.name);
  return (
    <>
      <Button
        size="sm"
        pending={test.isPending}
        disabled={!row.active}
        title={row.active ? undefined : "Activate the webhook first"}
        onClick={() => test.mutate()}
      >
        <Send aria-hidden /> Send test
      </Button>
      <RotateSecret name={row.name} />
    </>
  );
}

function RotateSecret({ name }: { name: string }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const rotate = useMutation({
    mutationFn: () => request<{ secret: string }>(`/api/admin/webhooks/${name}/rotate`, { method: "POST" }),
    onSuccess: () => setAsking(false),
    gcTime: 0,
  });
  return (
    <>
      <Button size="sm" onClick={() => setAsking(true)}>
        <RefreshCw aria-hidden /> Rotate secret
      </Button>
      {asking && (
        <ActionDialog
          size="sm"
          title={`Rotate the secret of ${name}?`}
          description={`Shows the new secret once. For ${OVERLAP_HOURS} hours, messages are signed with the old and the new secret, so that you can update the receiver. An older secret stops at once.`}
          action="Rotate"
          pending={rotate.isPending}
          error={rotate.error?.message}
          onAct={() => rotate.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
      {rotate.isSuccess && (
        <SecretDialog
          title={`New signing secret of webhook ${name}`}
          what="signing secret"
          secret={rotate.data.secret}
          onClose={() => {
            rotate.reset();
            void client.invalidateQueries({ queryKey: ["webhooks"] });
          }}
        />
      )}
    </>
  );
}
