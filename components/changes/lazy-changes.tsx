"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The history, loaded beside its page. */
export const LazyChanges = lazyScreen(async () => (await import("@/components/changes/change-list")).ChangeList);

/** One change, loaded beside its page. */
export const LazyChange = lazyScreen(async () => (await import("@/components/changes/change-view")).ChangePage);
