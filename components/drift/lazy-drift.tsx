"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The review of what sources changed, loaded beside its page. */
export const LazyDriftReview = lazyScreen(async () => (await import("@/components/drift/drift-review")).DriftReview);
