"use client";

import { useWaitingCount } from "@/components/approvals/use-approvals";
import { CountWaiting } from "@/components/ui/count-waiting";

/** The number of waiting calls, shown in the navigation; hidden at zero. */
export function WaitingCount() {
  const count = useWaitingCount();
  return <CountWaiting count={count} />;
}
