import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyAuditEntry } from "@/components/audit/lazy-trail";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Audit entry" };

// One entry of the audit trail.
export default async function AuditEntryPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("audit:read", `/admin/audit/${encodeURIComponent(id)}`);
  return allowed ? <LazyAuditEntry id={id} /> : <NoPermission />;
}
