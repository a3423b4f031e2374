import { useGet } from "@/components/resource/use-get";
import type { PauseRow } from "@/lib/resources/pause";

/** Milliseconds between two polls for pauses on an idle page. */
const POLL_MS = 15_000;

/** The pauses in force; none while loading. */
export function usePauses(): readonly PauseRow[] {
  const pauses = useGet<{ items: readonly PauseRow[] }>(["pause"], "/api/admin/pause", {
    refetchInterval: POLL_MS,
  });
  return pauses.data?.items ?? [];
}

/** The pause of one agent; `null` while its own calls are not paused. */
export function usePauseOfAgent(agent: string): PauseRow | null {
  return usePauses().find(({ scope, name }) => scope === "agent" && name === agent) ?? null;
}
