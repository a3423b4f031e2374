"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The secrets, loaded beside their page. */
export const LazySecrets = lazyScreen(async () => (await import("@/components/secrets/secret-list")).SecretList);

/** One secret, loaded beside its page. */
export const LazySecret = lazyScreen(async () => (await import("@/components/secrets/secret-view")).SecretPage);
