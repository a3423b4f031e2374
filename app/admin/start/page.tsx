import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyGettingStarted } from "@/components/onboarding/lazy-getting-started";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Getting started" };

// From nothing to the first allowed call.
export default async function StartPage() {
  return (await maySee("configuration:read", "/admin/start")) ? <LazyGettingStarted /> : <NoPermission />;
}
