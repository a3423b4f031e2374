"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The log, loaded beside its page. */
export const LazyExecutions = lazyScreen(
  async () => (await import("@/components/executions/execution-list")).ExecutionList,
);

/** One execution, loaded beside its page. */
export const LazyExecution = lazyScreen(
  async () => (await import("@/components/executions/execution-detail")).ExecutionView,
);
