"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** What waits in a profile, loaded beside its page. */
export const ProfileDriftScreen = lazyScreen(
  async () => (await import("@/components/profiles/profile-drift")).ProfileDrift,
);
