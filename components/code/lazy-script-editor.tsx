"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The editor of scripts, loaded where one is edited. */
export const LazyScriptEditor = lazyScreen(async () => (await import("@/components/code/script-editor")).ScriptEditor);
