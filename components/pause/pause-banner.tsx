"use client";

import { lazy, Suspense } from "react";
import { usePauses } from "@/components/pause/use-pauses";
import type { Role } from "@/lib/resources/permissions";

// On every page, and rarely shown: its weight comes with the first pause.
const PauseList = lazy(async () => ({ default: (await import("@/components/pause/pause-list")).PauseList }));

/** Says on every page that calls are stopped: which, by whom, since when and why. */
export function PauseBanner({ role }: { role: Role }) {
  const pauses = usePauses();
  if (pauses.length === 0) return null;
  return (
    <section
      aria-label="Paused"
      className="max-h-[30vh] shrink-0 overflow-y-auto bg-deny-fill text-sm text-on-accent [&_:focus-visible]:outline-on-accent"
    >
      <Suspense>
        <PauseList pauses={pauses} role={role} />
      </Suspense>
    </section>
  );
}
