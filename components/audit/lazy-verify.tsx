"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The log's integrity, loaded beside its page. */
export const LazyVerify = lazyScreen(async () => (await import("@/components/audit/verify-screen")).VerifyScreen);
