"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The profiles, loaded beside their page. */
export const ProfileScreen = lazyScreen(async () => (await import("@/components/views/profile-list")).ProfileList);
