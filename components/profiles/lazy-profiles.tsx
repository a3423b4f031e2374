"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The profiles, loaded beside their page. */
export const LazyProfiles = lazyScreen(async () => (await import("@/components/profiles/profile-list")).ProfileList);

/** What waits in a profile, loaded beside its page. */
export const LazyProfileDrift = lazyScreen(
  async () => (await import("@/components/profiles/profile-drift")).ProfileDrift,
);
