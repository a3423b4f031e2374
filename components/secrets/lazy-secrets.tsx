"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The secrets, loaded beside their page. */
export const LazySecrets = lazyScreen(async () => (await import("@/components/secrets/secret-list")).SecretList);
