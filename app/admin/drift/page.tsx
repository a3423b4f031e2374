import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyDriftReview } from "@/components/drift/lazy-drift";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Drift review" };

// What sources say otherwise than the catalogue, until somebody decides.
export default async function DriftPage() {
  return (await maySee("configuration:read", "/admin/drift")) ? <LazyDriftReview /> : <NoPermission />;
}
