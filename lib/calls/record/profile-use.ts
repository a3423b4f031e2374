import { countsOf } from "@/lib/access/compile/profile-index";
import type { Index } from "@/lib/access/compile/compile";
import { log } from "@/lib/telemetry/log";

/** Logs which profiles applied to a request, and how much of the catalogue each lets through (docs/reference/decision.md#profile). */
export function logProfileUse(index: Index, profiles: readonly string[], requestId: string): void {
  for (const profile of profiles) log.info({ requestId, profile, ...countsOf(index, profile) }, "A profile was used.");
}
