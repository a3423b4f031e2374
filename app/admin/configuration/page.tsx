import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyConfiguration } from "@/components/configuration/lazy-configuration";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Configuration" };

// The configuration as one document: its revisions, import and export.
export default async function ConfigurationPage() {
  if (!(await maySee("configuration:read", "/admin/configuration"))) return <NoPermission />;
  return <LazyConfiguration canWrite={await maySee("configuration:write", "/admin/configuration")} />;
}
