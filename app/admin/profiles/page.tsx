import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { NoPermission } from "@/components/shell/no-permission";
import { ProfileList } from "@/components/views/profile-list";

export const metadata: Metadata = { title: "Profiles" };

// The ceilings that the code defines, read-only.
export default async function ProfilesPage() {
  return (await maySee("configuration:read", "/admin/profiles")) ? <ProfileList /> : <NoPermission />;
}
