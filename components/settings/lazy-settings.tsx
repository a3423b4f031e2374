"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The settings, loaded beside their page. */
export const LazySettings = lazyScreen(
  async () => (await import("@/components/settings/settings-screen")).SettingsScreen,
);

/** The settings of routing, loaded beside the page of intents. */
export const LazyRouting = lazyScreen(async () => (await import("@/components/settings/routing-panel")).RoutingPanel);
