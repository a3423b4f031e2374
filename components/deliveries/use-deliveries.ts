import { toastFailure } from "@/components/resource/review/toast-failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGo } from "@/components/resource/go";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { ToastInput } from "@/components/ui/overlays/toast-list";
import type { DeliveryDetail, DeliveryRow } from "@/lib/contracts/agents/delivery";
import type { Page } from "@/lib/contracts/changes/list";

/** Milliseconds between two polls of deliveries. */
export const POLL_MS = 5_000;

export function useDeliveriesOf(webhook: string) {
  return useGet<Page<DeliveryRow>>(
    ["deliveries", "of", webhook],
    `/api/admin/deliveries?${new URLSearchParams({ webhook, limit: "20" })}`,
    {
      refetchInterval: POLL_MS,
    },
  );
}

export function useDelivery(id: string) {
  return useGet<DeliveryDetail>(["deliveries", "row", id], adminPath("deliveries", id), {
    refetchInterval: POLL_MS,
  });
}

/** Starts a delivery again. */
export function useRedeliver(id: string) {
  return useSending(adminPath("deliveries", id, "redeliver"), "Sending again");
}

export function useSendTest(webhook: string) {
  const go = useGo();
  return useSending(adminPath("webhooks", webhook, "test"), "Test message queued", ({ id }) => ({
    label: "View delivery",
    open: () => go(`/admin/deliveries/${encodeURIComponent(id)}`),
  }));
}

function useSending(path: `/api/${string}`, done: string, nextOf?: (sent: DeliveryDetail) => ToastInput["next"]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request<DeliveryDetail>(path, { method: "POST" }),
    onSuccess: (sent) => toast({ title: done, next: nextOf?.(sent) }),
    onError: (error) => toastFailure("Nothing was sent", error),
    onSettled: () => client.invalidateQueries({ queryKey: ["deliveries"] }),
  });
}
