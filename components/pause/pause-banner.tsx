"use client";

import { lazyPart } from "@/components/ui/lazy-part";
import type { Role } from "@/lib/resources/permissions";
import { useGet } from "@/components/resource/use-get";
import type { PauseRow } from "@/lib/resources/pause";

// Every page has the banner, and few show it: its code loads with the first pause.
const PauseList = lazyPart(async () => (await import("@/components/pause/pause-list")).PauseList);

/** Says on every page that calls are stopped: which, by whom, since when and why. */
export function PauseBanner({ role }: { role: Role }) {
  const pauses = usePauses();
  if (pauses.length === 0) return null;
  return (
    <section
      aria-label="Paused"
      className="max-h-[30vh] shrink-0 overflow-y-auto bg-deny-fill text-sm text-on-accent [&_:focus-visible]:outline-on-accent"
    >
      <PauseList pauses={pauses} role={role} />
    </section>
  );
}

/** Milliseconds between two polls for pauses on an idle page. */
const POLL_MS = 15_000;

/** The pauses in force; none while loading. */
function usePauses(): readonly PauseRow[] {
  const pauses = useGet<{ items: readonly PauseRow[] }>(["pause"], "/api/admin/pause", {
    refetchInterval: POLL_MS,
  });
  return pauses.data?.items ?? [];
}
