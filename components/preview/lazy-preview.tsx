"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The preview, loaded beside its page. */
export const LazyPreview = lazyScreen(async () => (await import("@/components/preview/preview-screen")).PreviewScreen);
