import { useGet } from "@/components/resource/use-get";
import type { Attention } from "@/lib/contracts/changes/attention";

/** Milliseconds between two polls on an idle page. */
const POLL_MS = 10_000;

/** The key of what waits for people. It is read again after every action of this person (`query-client.ts`). */
export const ATTENTION = ["attention"] as const;

/**
 * What waits for people, one read for the whole page; nothing while it loads.
 *
 * @param refetchOnMount `"always"`: what opens now shows what waits now, not at the last poll
 */
export function useAttention(refetchOnMount: boolean | "always" = true): Partial<Attention> {
  const polled = { refetchInterval: POLL_MS, refetchOnMount } as const;
  return useGet<Attention>(ATTENTION, "/api/admin/attention", polled).data ?? {};
}
