import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyChanges } from "@/components/changes/lazy-changes";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Changes" };

// Who changed what, from what to what.
export default async function ChangesPage() {
  return (await maySee("configuration:read", "/admin/changes")) ? <LazyChanges /> : <NoPermission />;
}
