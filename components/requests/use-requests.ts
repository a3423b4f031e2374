"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useGet } from "@/components/resource/use-get";
import { request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestDetail } from "@/lib/contracts/changes/request";

/** Milliseconds between two polls for open requests. */
export const POLL_MS = 10_000;

/** One request with its changes. */
export function useRequest(id: string) {
  return useGet<RequestDetail>(["requests", "row", id], addressOf(id));
}

/** How a person ends a request. */
export type Ending = "approve" | "refuse" | "withdraw";

const DONE: Readonly<Record<Ending, string>> = { approve: "Approved", refuse: "Refused", withdraw: "Withdrew" };

/** Ends a request once. An approval saves rows, so everything that shows rows is fetched again. */
export function useEnding({ id, hash, target }: RequestDetail, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ending, reason }: { ending: Ending; reason: string }) =>
      request<RequestDetail>(`${addressOf(id)}/${ending}`, {
        method: "POST",
        body: ending === "approve" ? { hash, reason } : { reason },
      }),
    onSuccess: (_row, { ending }) => {
      toast({ title: `${DONE[ending]} ${target}` });
      onDone();
    },
    onSettled: (_row, _error, { ending }) =>
      client.invalidateQueries(ending === "approve" ? {} : { queryKey: ["requests"] }),
  });
}

function addressOf(id: string): `/api/${string}` {
  return `/api/admin/requests/${encodeURIComponent(id)}`;
}
