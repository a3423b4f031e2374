import { useWaiting } from "@/components/approvals/use-approvals";
import { useCan } from "@/components/resource/who";
import { CountWaiting } from "@/components/shell/count-waiting";

/** The number of calls and requests that wait for this person's role, shown in the navigation; hidden at zero. */
export function WaitingCount() {
  const mayAnswer = useCan("calls:approve");
  const { calls, access, changes } = useWaiting();
  return !mayAnswer ? null : <CountWaiting count={calls + access + changes} />;
}
