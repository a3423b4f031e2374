import { Badge, type Tone } from "@/components/ui/badge";
import type { SessionRow } from "@/lib/contracts/log/session";

/** The routing mode of a session's list, in a word or two. */
export const MODE_WORDS: Readonly<Record<SessionRow["mode"], string>> = {
  full: "not narrowed",
  restricted: "restricted",
  restricted_with_resolution: "restricted, with resolution",
  none: "no group matches",
};

const MODE_TONES: Readonly<Record<SessionRow["mode"], Tone>> = {
  full: "neutral",
  restricted: "accent",
  restricted_with_resolution: "accent",
  none: "warn",
};

/** How routing narrows a session. */
export function ModeBadge({ mode }: { mode: SessionRow["mode"] }) {
  return <Badge tone={MODE_TONES[mode]}>{MODE_WORDS[mode]}</Badge>;
}

/** Whether the agent can still use the session. */
export function LifeBadge({ live }: { live: boolean }) {
  return <Badge tone={live ? "allow" : "neutral"}>{live ? "live" : "expired"}</Badge>;
}
