import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyExecution } from "@/components/executions/lazy-executions";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Execution" };

// One call: who, what, why, under which revision.
export default async function ExecutionPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("executions:read", `/admin/executions/${encodeURIComponent(id)}`);
  return allowed ? <LazyExecution callId={id} /> : <NoPermission />;
}
