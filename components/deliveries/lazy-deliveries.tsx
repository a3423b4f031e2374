"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The deliveries, loaded beside their page. */
export const LazyDeliveries = lazyScreen(
  async () => (await import("@/components/deliveries/delivery-list")).DeliveryList,
);

/** One delivery, loaded beside its page. */
export const LazyDelivery = lazyScreen(
  async () => (await import("@/components/deliveries/delivery-view")).DeliveryPage,
);
