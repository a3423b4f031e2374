"use client";

import { lazyScreen } from "@/components/ui/lazy-screen";

/** The graph, loaded where a machine is looked at. */
export const LazyMachineGraph = lazyScreen(
  async () => (await import("@/components/machines/machine-graph")).MachineGraph,
);
