import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyDenial } from "@/components/denials/lazy-denials";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Denial" };

// One kind of refusal, what today says of it, and the smallest grant.
export default async function DenialPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("executions:read", `/admin/denials/${encodeURIComponent(id)}`);
  return allowed ? <LazyDenial id={id} /> : <NoPermission />;
}
