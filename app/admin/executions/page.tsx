import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyExecutions } from "@/components/executions/lazy-executions";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Executions" };

// The execution log.
export default async function ExecutionsPage() {
  return (await maySee("executions:read", "/admin/executions")) ? <LazyExecutions /> : <NoPermission />;
}
