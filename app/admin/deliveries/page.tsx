import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyDeliveries } from "@/components/deliveries/lazy-deliveries";
import { NoPermission } from "@/components/shell/no-permission";

export const metadata: Metadata = { title: "Deliveries" };

// What was sent to webhooks and callbacks.
export default async function DeliveriesPage() {
  return (await maySee("configuration:read", "/admin/deliveries")) ? <LazyDeliveries /> : <NoPermission />;
}
