import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyAuditTrail } from "@/components/audit/lazy-trail";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Audit trail" };

// Who did what: audit events and changes of the configuration.
export default async function AuditTrailPage() {
  return (await maySee("audit:read", "/admin/audit")) ? <LazyAuditTrail /> : <NoPermission />;
}
