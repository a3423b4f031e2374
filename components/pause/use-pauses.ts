import { useAttention } from "@/components/resource/attention";
import type { PauseRow } from "@/lib/resources/pause";

/** The pauses in force; none while loading. */
export function usePauses(): readonly PauseRow[] {
  return useAttention().pauses ?? [];
}

/** The pauses that stop a call of a tool by an agent. */
export function usePausesOfCall({ agent, toolId }: { agent: string | null; toolId: string }): readonly PauseRow[] {
  const [source] = toolId.split(":");
  return usePauses().filter(({ scope, name }) => scope === "all" || name === (scope === "agent" ? agent : source));
}

/** The pause that stops all calls of an agent: of everyone's calls or its own; `null` = none. */
export function useStopOfAgent(agent: string): PauseRow | null {
  return usePauses().find(({ scope, name }) => scope === "all" || (scope === "agent" && name === agent)) ?? null;
}

/** The pause of one agent; `null` while its own calls are not paused. */
export function usePauseOfAgent(agent: string): PauseRow | null {
  return usePauses().find(({ scope, name }) => scope === "agent" && name === agent) ?? null;
}
