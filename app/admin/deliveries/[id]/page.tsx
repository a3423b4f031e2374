import type { Metadata } from "next";
import { maySee } from "@/app/admin/may-see";
import { LazyDelivery } from "@/components/deliveries/lazy-deliveries";
import { NoPermission } from "@/components/shell/no-permission";

interface Props {
  params: Promise<{ id: string }>;
}

export const metadata: Metadata = { title: "Delivery" };

// One delivery with its tries.
export default async function DeliveryPage({ params }: Props) {
  const { id } = await params;
  const allowed = await maySee("configuration:read", `/admin/deliveries/${encodeURIComponent(id)}`);
  return allowed ? <LazyDelivery id={id} /> : <NoPermission />;
}
