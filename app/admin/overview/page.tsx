import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyOverview } from "@/components/overview/lazy-overview";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Overview" };

// What went through, at a glance.
export default async function OverviewPage() {
  return (await maySee("executions:read", "/admin/overview")) ? <LazyOverview /> : <NoPermission />;
}
