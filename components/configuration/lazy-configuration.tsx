"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The configuration, loaded beside its page. */
export const LazyConfiguration = lazyScreen(
  async () => (await import("@/components/configuration/configuration-screen")).ConfigurationScreen,
);
