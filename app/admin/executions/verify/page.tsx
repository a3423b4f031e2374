import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyVerify } from "@/components/audit/lazy-verify";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Integrity of the log" };

// Whether every row of the log is what was sealed.
export default async function VerifyPage() {
  return (await maySee("executions:verify", "/admin/executions/verify")) ? <LazyVerify /> : <NoPermission />;
}
