import { request } from "@/components/resource/request";
import type { ApprovalDetail } from "@/lib/contracts/log/approval";
import { MAX_APPROVALS_READ } from "@/lib/resources/parts/words";

/** Milliseconds in which rows that render together join one request. */
const JOIN_MS = 10;

interface Batch {
  readonly ids: Set<string>;
  readonly answer: Promise<ReadonlyMap<string, ApprovalDetail>>;
}

let open: Batch | null = null;

/** Reads an approval, in one request with all others that are wanted within `JOIN_MS`. */
export async function readTogether(id: string): Promise<ApprovalDetail> {
  if (open === null || open.ids.size >= MAX_APPROVALS_READ) open = startBatch();
  const { ids, answer } = open;
  ids.add(id);
  const approval = (await answer).get(id);
  if (approval === undefined) throw new Error("There is no such approval.");
  return approval;
}

function startBatch(): Batch {
  const ids = new Set<string>();
  return { ids, answer: readLater(ids) };
}

async function readLater(ids: Set<string>): Promise<ReadonlyMap<string, ApprovalDetail>> {
  await new Promise((resolve) => setTimeout(resolve, JOIN_MS));
  if (open?.ids === ids) open = null;
  const body = { ids: [...ids] };
  const { items } = await request<{ items: ApprovalDetail[] }>("/api/admin/approvals/details", {
    method: "POST",
    body,
  });
  return new Map(items.map((approval) => [approval.id, approval]));
}
