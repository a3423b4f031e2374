import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazySecrets } from "@/components/secrets/lazy-secrets";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Secrets" };

// What sources authenticate with; names only.
export default async function SecretsPage() {
  return (await maySee("configuration:read", "/admin/secrets")) ? <LazySecrets /> : <NoPermission />;
}
