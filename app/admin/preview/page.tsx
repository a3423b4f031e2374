import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyPreview } from "@/components/preview/lazy-preview";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Preview as agent" };

// What a caller would be handed, and why.
export default async function PreviewPage() {
  return (await maySee("configuration:read", "/admin/preview")) ? <LazyPreview /> : <NoPermission />;
}
