import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazySession } from "@/components/sessions/lazy-sessions";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Session" };

// One run of an agent: where it stands and what it was told.
export default async function SessionPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("executions:read", `/admin/sessions/${encodeURIComponent(id)}`);
  return allowed ? <LazySession id={id} /> : <NoPermission />;
}
