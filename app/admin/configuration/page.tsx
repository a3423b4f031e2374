import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { ConfigurationScreen } from "@/components/configuration/configuration-screen";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Configuration" };

// The configuration as one document: its revisions, import and export.
export default async function ConfigurationPage() {
  if (!(await maySee("configuration:read", "/admin/configuration"))) return <NoPermission />;
  return <ConfigurationScreen canWrite={await maySee("configuration:write", "/admin/configuration")} />;
}
