"use client";

import { useGet } from "@/components/resource/use-get";
import { lazyPart } from "@/components/ui/lazy-part";
import type { RequestRow } from "@/lib/contracts/changes/request";

// Every page has the banner, and few show it: its code loads with the first change.
const UnconfirmedList = lazyPart(async () => (await import("@/components/requests/unconfirmed-list")).UnconfirmedList);

/** Milliseconds between two polls on an idle page. */
const POLL_MS = 15_000;

/** Says on every page which changes were applied without review and wait for a second person. */
export function UnconfirmedBanner() {
  const found = useGet<{ items: readonly RequestRow[] }>(
    ["requests", "unconfirmed"],
    "/api/admin/requests?status=bypassed&limit=5",
    { refetchInterval: POLL_MS },
  );
  const requests = found.data?.items ?? [];
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
