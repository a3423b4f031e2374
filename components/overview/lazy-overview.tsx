"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The overview, loaded beside its page. */
export const LazyOverview = lazyScreen(
  async () => (await import("@/components/overview/overview-screen")).OverviewScreen,
);
