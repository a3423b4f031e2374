import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazySettings } from "@/components/settings/lazy-settings";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "General settings" };

// What holds for the whole installation.
export default async function SettingsPage() {
  if (!(await maySee("configuration:read", "/admin/settings"))) return <NoPermission />;
  return <LazySettings canWrite={await maySee("settings:write", "/admin/settings")} />;
}
