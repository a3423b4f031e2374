import { deliver, production, type DeliveryDependencies } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";

/** Tries what is due by the clock of `deps`, each once, and waits for it. Returns how many those were. */
export async function deliverDue(deps: DeliveryDependencies = production, most = 20): Promise<number> {
  const due = await claimDeliveries(new Date(deps.now()), most);
  await Promise.all(due.map((delivery) => deliver(delivery, deps)));
  return due.length;
}
