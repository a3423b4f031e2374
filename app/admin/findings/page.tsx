import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyFindings } from "@/components/findings/lazy-findings";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Findings" };

// What in the configuration is probably not meant.
export default async function FindingsPage() {
  return (await maySee("configuration:read", "/admin/findings")) ? <LazyFindings /> : <NoPermission />;
}
