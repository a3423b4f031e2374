import { useMutation, useQueryClient } from "@tanstack/react-query";
import { subjectInText } from "@/components/requests/request-words";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { RequestDetail, RequestRow } from "@/lib/contracts/changes/request";

/** Milliseconds between two polls for open requests. */
export const POLL_MS = 10_000;

export function useRequest(id: string) {
  return useGet<RequestDetail>(["requests", "row", id], adminPath("requests", id), { refetchInterval: pollWhileOpen });
}

/** Reads a request again until it is closed, because another person or a job closes it. */
export function pollWhileOpen({ state: { data } }: { state: { data?: Pick<RequestRow, "status"> | undefined } }) {
  return data?.status === "open" || data?.status === "bypassed" ? POLL_MS : false;
}

export type Ending = "approve" | "refuse" | "withdraw" | "bypass" | "confirm" | "revert";

const DONE: Readonly<Record<Ending, string>> = {
  approve: "Approved",
  refuse: "Refused",
  withdraw: "Withdrew",
  bypass: "Applied without review:",
  confirm: "Confirmed",
  revert: "Reverted",
};
/** Answers that state the hash of the request that the person saw. */
const STATES_HASH: ReadonlySet<Ending> = new Set(["approve", "bypass", "confirm"]);
/** Answers that save rows, so everything that shows rows is fetched again. */
const SAVES: ReadonlySet<Ending> = new Set(["approve", "bypass", "revert"]);

/** Applies an open request without review. @throws Problem */
export function bypass({ id, hash }: Pick<RequestRow, "id" | "hash">, reason: string): Promise<RequestDetail> {
  return request<RequestDetail>(adminPath("requests", id, "bypass"), { method: "POST", body: { hash, reason } });
}

/** Answers a request once. */
export function useEnding(ended: Pick<RequestRow, "id" | "hash" | "target" | "facts" | "status">, onDone: () => void) {
  const { id, hash } = ended;
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ ending, reason }: { ending: Ending; reason: string }) =>
      request<RequestDetail>(adminPath("requests", id, ending), {
        method: "POST",
        body: STATES_HASH.has(ending) ? { hash, reason } : { reason },
      }),
    onSuccess: (_row, { ending }) => {
      toast({ title: `${DONE[ending]} ${subjectInText(ended)}` });
      onDone();
    },
    onSettled: (_row, _error, { ending }) =>
      client.invalidateQueries(SAVES.has(ending) ? {} : { queryKey: ["requests"] }),
  });
}
