import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazySessions } from "@/components/sessions/lazy-sessions";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Sessions" };

// The runs of all agents.
export default async function SessionsPage() {
  return (await maySee("executions:read", "/admin/sessions")) ? <LazySessions /> : <NoPermission />;
}
