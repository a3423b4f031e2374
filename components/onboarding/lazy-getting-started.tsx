"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The way to the first call, loaded beside its page. */
export const LazyGettingStarted = lazyScreen(
  async () => (await import("@/components/onboarding/getting-started")).GettingStarted,
);
