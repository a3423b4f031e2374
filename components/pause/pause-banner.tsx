"use client";

import { lazyPart } from "@/components/ui/lazy-part";
import type { Role } from "@/lib/resources/permissions";
import { usePauses } from "@/components/pause/use-pauses";

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
