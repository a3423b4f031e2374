import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyApproval } from "@/components/approvals/lazy-approvals";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Approval" };

// One call that waits: what is asked, by whom, and why it is granted.
export default async function ApprovalPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("executions:read", `/admin/approvals/${encodeURIComponent(id)}`);
  return allowed ? <LazyApproval id={id} /> : <NoPermission />;
}
