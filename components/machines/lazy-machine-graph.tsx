import { lazyScreen } from "@/components/ui/lazy-screen";

/** The graph, loaded on pages that show a machine. */
export const LazyMachineGraph = lazyScreen(
  async () => (await import("@/components/machines/machine-graph")).MachineGraph,
);
