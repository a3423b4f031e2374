import { deliver, production, type DeliveryDependencies } from "@/lib/events/deliver";
import { claimDeliveries } from "@/lib/store/events/deliveries";

/** Tries every delivery that is due by the clock of `deps` once, and waits. Returns how many. */
export async function deliverDue(deps: DeliveryDependencies = production, most = 20): Promise<number> {
  const due = await claimDeliveries(new Date(deps.now()), most);
  await Promise.all(due.map((delivery) => deliver(delivery, deps)));
  return due.length;
}
