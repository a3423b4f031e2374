import { useState } from "react";
import { Badge } from "@/components/ui/badge";
import { Time } from "@/components/ui/time";
import { EffectBadge } from "@/components/views/rules/effect-badge";
import type { Row } from "@/lib/resources";

/** When a policy begins or ends, if it does; an ended policy looks active otherwise. */
export function PolicyPeriod({ policy: { validFrom, validUntil } }: { policy: Row<"policies"> }) {
  const [now] = useState(() => Date.now());
  if (validUntil !== null && Date.parse(validUntil) <= now) return <Badge tone="warn">ended</Badge>;
  const [word, at] = validFrom !== null && Date.parse(validFrom) > now ? ["begins", validFrom] : ["ends", validUntil];
  if (at === null) return null;
  return (
    // Above the row's link, so that the exact time can be reached.
    <span className="relative z-1 text-xs font-normal text-muted">
      {word} <Time at={at} />
    </span>
  );
}

/** What a policy does, and until when. */
export function EffectAndPeriod({ policy }: { policy: Row<"policies"> }) {
  return (
    <span className="inline-flex items-center gap-2">
      <EffectBadge effect={policy.effect} />
      <PolicyPeriod policy={policy} />
    </span>
  );
}
