import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyChange } from "@/components/changes/lazy-changes";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Change" };

// One change, before and after.
export default async function ChangePage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("configuration:read", `/admin/changes/${encodeURIComponent(id)}`);
  return allowed ? <LazyChange id={id} /> : <NoPermission />;
}
