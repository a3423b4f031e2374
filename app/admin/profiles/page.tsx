import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { NoPermission } from "@/components/shell/no-permission";
import { ProfileScreen } from "@/components/views/profile-screen";

export const metadata: Metadata = { title: "Profiles" };

// The ceilings that the code defines, read-only.
export default async function ProfilesPage() {
  return (await maySee("configuration:read", "/admin/profiles")) ? <ProfileScreen /> : <NoPermission />;
}
