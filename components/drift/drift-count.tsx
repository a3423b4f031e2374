import { useAttention } from "@/components/resource/attention";
import { CountWaiting } from "@/components/shell/count-waiting";

/** The number of tools that wait for review, shown in the navigation; hidden at zero. */
export function DriftCount() {
  return <CountWaiting count={useAttention().drift ?? 0} />;
}
