"use client";

import { useWaitingCount } from "@/components/approvals/use-approvals";
import { CountWaiting } from "@/components/ui/count-waiting";

/** How many calls wait, beside the way to them; nothing while none does. */
export function WaitingCount() {
  const count = useWaitingCount();
  return <CountWaiting count={count} />;
}
