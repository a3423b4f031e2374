import { Ban, Check, CircleSlash, Clock, Loader, X, type LucideIcon } from "lucide-react";
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

/** An icon for each status: colour is never the only sign. */
const ICONS: Readonly<Record<ExecutionRow["status"], LucideIcon>> = {
  succeeded: Check,
  failed: X,
  denied: CircleSlash,
  pending: Clock,
  running: Loader,
  awaiting_approval: Clock,
  cancelled: Ban,
};

/** A status in the words of the interface: a decision refuses a call, an attempt fails. */
export function statusInWords(status: ExecutionRow["status"]): string {
  return status === "denied" ? "refused" : status.replaceAll("_", " ");
}

/** How a call ended, in the colour and with the icon of its outcome. */
export function StatusBadge({ status }: { status: ExecutionRow["status"] }) {
  const Icon = ICONS[status];
  return (
    <Badge tone={TONES[status]}>
      <Icon aria-hidden />
      {statusInWords(status)}
    </Badge>
  );
}
