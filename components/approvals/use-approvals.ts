import { useMutation, useQuery, useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { refusalInWords } from "@/components/approvals/approval-words";
import { readTogether } from "@/components/approvals/read-together";
import { useGet } from "@/components/resource/use-get";
import { adminPath, request } from "@/components/resource/request";
import { ATTENTION, useAttention } from "@/components/resource/attention";
import { toast } from "@/components/ui/overlays/toast";
import type { ApprovalDetail, ApprovalRow } from "@/lib/contracts/log/approval";

/** How many calls, access requests and change requests wait for a person. */
interface Waiting {
  readonly calls: number;
  readonly access: number;
  readonly changes: number;
  /** The address of the first list in which something waits. */
  readonly firstList: string;
}

export const INBOX = {
  calls: "/admin/approvals",
  access: "/admin/requests?kind=access",
  changes: "/admin/requests?kind=change",
} as const;

/** The counts of what waits for a person; 0 until they are loaded. */
export function useWaiting(): Waiting {
  const { calls, requests } = useAttention("always");
  const { access = 0, changes = 0 } = requests ?? {};
  const first = calls !== 0 ? "calls" : access > 0 ? "access" : changes > 0 ? "changes" : "calls";
  return { calls: calls ?? 0, access, changes, firstList: INBOX[first] };
}

/** Reads the counts again. Called before a person opens the inbox, because the target of its link depends on them. */
export function useRefetchWaiting(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ATTENTION }, { cancelRefetch: false });
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
    onSuccess: (approval, { answer }) => {
      const why = refusalInWords(approval);
      const { toolId } = approval;
      if (why === null) toast({ title: `${answer === "approve" ? "Approved" : "Refused"} ${toolId}` });
      else toast({ title: `Approved, but Quartermaster refuses ${toolId}`, description: why, tone: "warned" });
      onDone();
    },
    onSettled: () => refetchAnswered(client, [id]),
  });
}

/** Refetches everything that shows answered calls. */
export function refetchAnswered(client: QueryClient, ids: readonly string[]): Promise<unknown> {
  return Promise.all([
    // An approved call may move its session: the next dialog reads its call again.
    client.invalidateQueries({ queryKey: ["approvals", ROW], refetchType: "none" }),
    client.invalidateQueries({
      queryKey: ["approvals"],
      // Not the other rows: each read of arguments is an audit event.
      predicate: ({ queryKey: [, part, row] }) => part !== ROW || ids.includes(String(row)),
    }),
    ...ids.map((id) => client.invalidateQueries({ queryKey: ["executions", "row", id] })),
  ]);
}

/** Whether a row's arguments were read and say that the person may not answer its call. */
export function useIsForOthers(): (id: string) => boolean {
  const client = useQueryClient();
  return (id) => client.getQueryData<ApprovalDetail>(keyOf(id))?.mayAnswer === false;
}

function keyOf(id: string): QueryKey {
  return ["approvals", ROW, id];
}
