import { useAttention } from "@/components/resource/attention";
import type { PauseRow } from "@/lib/resources/pause";

/** The pauses in force; none while loading. */
export function usePauses(): readonly PauseRow[] {
  return useAttention().pauses ?? [];
}

/** The pause of one agent; `null` while its own calls are not paused. */
export function usePauseOfAgent(agent: string): PauseRow | null {
  return usePauses().find(({ scope, name }) => scope === "agent" && name === agent) ?? null;
}
