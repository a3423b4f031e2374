import { Badge, type Tone } from "@/components/ui/badge";
import type { Effect } from "@/lib/access/model/configuration";

const TONES: Readonly<Record<Effect, Tone>> = { allow: "allow", deny: "deny", request: "accent" };

export function EffectBadge({ effect }: { effect: Effect }) {
  return <Badge tone={TONES[effect]}>{effect}</Badge>;
}
