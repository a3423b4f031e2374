"use client";

import { useAttention } from "@/components/resource/attention";
import { lazyPart } from "@/components/ui/lazy-part";

// Every page has the banner, and few show it: its code loads with the first change.
const UnconfirmedList = lazyPart(async () => (await import("@/components/requests/unconfirmed-list")).UnconfirmedList);

/** Says on every page which changes were applied without review and wait for a second person. */
export function UnconfirmedBanner() {
  const requests = useAttention().unconfirmed ?? [];
  if (requests.length === 0) return null;
  return (
    <section
      aria-label="Changes without review"
      className="max-h-[30vh] shrink-0 overflow-y-auto border-b border-line bg-warn-soft text-sm"
    >
      <UnconfirmedList requests={requests} />
    </section>
  );
}
