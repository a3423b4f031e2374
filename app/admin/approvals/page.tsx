import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyApprovals } from "@/components/approvals/lazy-approvals";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Approvals" };

// The calls that wait for a person.
export default async function ApprovalsPage() {
  return (await maySee("executions:read", "/admin/approvals")) ? <LazyApprovals /> : <NoPermission />;
}
