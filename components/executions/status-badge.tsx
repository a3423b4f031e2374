import { Badge, type Tone } from "@/components/ui/badge";
import type { ExecutionRow } from "@/lib/contracts/log/execution";

const TONES: Readonly<Record<ExecutionRow["status"], Tone>> = {
  succeeded: "allow",
  failed: "warn",
  denied: "deny",
  pending: "neutral",
  running: "neutral",
  awaiting_approval: "accent",
  cancelled: "neutral",
};

/** How a call ended, in the colour of its outcome. */
export function StatusBadge({ status }: { status: ExecutionRow["status"] }) {
  return <Badge tone={TONES[status]}>{status.replaceAll("_", " ")}</Badge>;
}
