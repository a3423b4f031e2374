import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyDenials } from "@/components/denials/lazy-denials";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Denials" };

// What agents were refused, by caller, tool and rule.
export default async function DenialsPage() {
  return (await maySee("executions:read", "/admin/denials")) ? <LazyDenials /> : <NoPermission />;
}
