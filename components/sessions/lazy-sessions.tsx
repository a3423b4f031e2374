"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The sessions, loaded beside their page. */
export const LazySessions = lazyScreen(async () => (await import("@/components/sessions/session-list")).SessionList);

/** One session, loaded beside its page. */
export const LazySession = lazyScreen(async () => (await import("@/components/sessions/session-view")).SessionPage);
