"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The findings, loaded beside their page. */
export const LazyFindings = lazyScreen(async () => (await import("@/components/findings/finding-list")).FindingList);
