"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The inbox of refusals, loaded beside its page. */
export const LazyDenials = lazyScreen(async () => (await import("@/components/denials/denial-list")).DenialList);

/** One kind of refusal, loaded beside its page. */
export const LazyDenial = lazyScreen(async () => (await import("@/components/denials/denial-view")).DenialPage);
