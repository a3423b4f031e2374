import { useWaiting } from "@/components/approvals/use-approvals";
import { CountWaiting } from "@/components/ui/count-waiting";

/** The number of waiting calls and requests, shown in the navigation; hidden at zero. */
export function WaitingCount() {
  const { calls, access, changes } = useWaiting();
  return <CountWaiting count={calls + access + changes} />;
}
