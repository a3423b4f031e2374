import { useMutation, useQuery, useQueryClient, type QueryKey } from "@tanstack/react-query";
import { readTogether } from "@/components/approvals/read-together";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { toast } from "@/components/ui/overlays/toast";
import type { ApprovalDetail, ApprovalRow } from "@/lib/contracts/log/approval";
import type { Page } from "@/lib/contracts/changes/list";

/** Milliseconds between two polls for waiting calls. */
export const POLL_MS = 10_000;

/** How many calls, access requests and change requests wait for a person. */
interface Waiting {
  readonly calls: number;
  readonly access: number;
  readonly changes: number;
  /** The address of the first list in which something waits. */
  readonly firstList: string;
}

/** The lists of the inbox. */
export const INBOX = {
  calls: "/admin/approvals",
  access: "/admin/requests?kind=access",
  changes: "/admin/requests?kind=change",
} as const;

/** The counts of what waits for a person; 0 until they are loaded. */
export function useWaiting(): Waiting {
  // A list that opens shows what waits now, not at the last poll.
  const polled = { refetchInterval: POLL_MS, refetchOnMount: "always" } as const;
  const open = "/api/admin/requests?status=open&limit=1&kind=" as const;
  const calls = useGet<Page<unknown>>(["approvals", "count"], "/api/admin/approvals?status=waiting&limit=1", polled);
  const access = useGet<Page<unknown>>(["requests", "count", "access"], `${open}access`, polled);
  const changes = useGet<Page<unknown>>(["requests", "count", "change"], `${open}change`, polled);
  const waiting = {
    calls: calls.data?.total ?? 0,
    access: access.data?.total ?? 0,
    changes: changes.data?.total ?? 0,
  };
  const mayHaveCalls = calls.data === undefined || waiting.calls > 0;
  const other = (["access", "changes"] as const).find((kind) => waiting[kind] > 0);
  return { ...waiting, firstList: INBOX[mayHaveCalls ? "calls" : (other ?? "calls")] };
}

/** Reads the counts again. Called before a person opens the inbox, because the target of its link depends on them. */
export function useRefetchWaiting(): () => void {
  const client = useQueryClient();
  return () =>
    void Promise.all([
      client.invalidateQueries({ queryKey: ["approvals", "count"] }),
      client.invalidateQueries({ queryKey: ["requests", "count"] }),
    ]);
}

/** One call that waits or was answered, with its arguments if the role may read them. */
export function useApproval(id: string) {
  return useGet<ApprovalDetail>(keyOf(id), adminPath("approvals", id), {
    // The server logs every read of arguments, so do not refetch on focus.
    refetchOnWindowFocus: false,
  });
}

/**
 * An approval for a row of the list. One request reads all rows that render together. Reads only calls that wait; an
 * answered call keeps what was read before.
 */
export function useListedApproval({ id, status }: ApprovalRow) {
  return useQuery({
    queryKey: keyOf(id),
    queryFn: () => readTogether(id),
    enabled: status === "waiting",
    // The server logs every read of arguments, so do not refetch on focus.
    refetchOnWindowFocus: false,
  });
}

/** Marks the keys of single rows. */
const ROW = "row";

/** A person's answer to a waiting call. */
export type ApprovalAnswer = "approve" | "refuse";

/** Answers a call once. Then refetches everything that shows it, also when another person answered first. */
export function useAnswer(id: string, onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ answer, reason }: { answer: ApprovalAnswer; reason: string }) =>
      request<ApprovalDetail>(adminPath("approvals", id, answer), { method: "POST", body: { reason } }),
    onSuccess: ({ toolId }, { answer }) => {
      toast({ title: `${answer === "approve" ? "Approved" : "Refused"} ${toolId}` });
      onDone();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({
          queryKey: ["approvals"],
          // Not the other rows: each read of arguments is an audit event.
          predicate: ({ queryKey: [, part, row] }) => part !== ROW || row === id,
        }),
        client.invalidateQueries({ queryKey: ["executions", "row", id] }),
      ]),
  });
}

function keyOf(id: string): QueryKey {
  return ["approvals", ROW, id];
}
