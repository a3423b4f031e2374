import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyProfiles } from "@/components/profiles/lazy-profiles";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Profiles" };

// The ceilings that the code defines, read-only.
export default async function ProfilesPage() {
  return (await maySee("configuration:read", "/admin/profiles")) ? <LazyProfiles /> : <NoPermission />;
}
