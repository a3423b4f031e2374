import { Badge, type Tone } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/text-link";
import { hrefOf } from "@/components/resource/view";
import type { DeliveryRow } from "@/lib/contracts/agents/delivery";

const TONES: Readonly<Record<DeliveryRow["status"], Tone>> = {
  pending: "accent",
  delivered: "allow",
  failed: "deny",
  dropped: "warn",
};

export function DeliveryBadge({ status }: Pick<DeliveryRow, "status">) {
  return <Badge tone={TONES[status]}>{status}</Badge>;
}

/** The recipient: a webhook, or a call's caller. */
export function Recipient({ webhook, origin }: Pick<DeliveryRow, "webhook" | "origin">) {
  if (webhook === null) return <span className="font-mono text-xs">{origin}</span>;
  return <TextLink href={hrefOf("webhooks", webhook)}>{webhook}</TextLink>;
}
