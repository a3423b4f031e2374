import { z } from "zod";
import { trippedSource } from "@/lib/contracts/sources/breaker";

/** Failed syncs in a row from which a source is unhealthy (docs/reference/execution.md#sync). */
export const UNHEALTHY_AFTER = 3;

/**
 * How the syncs of a source go: `unknown` = never synchronised, `degraded` = the last one failed, `unhealthy` = the
 * last three did.
 */
export const sourceHealth = z.object({
  source: z.string(),
  health: z.enum(["unknown", "healthy", "degraded", "unhealthy"]),
  /** Whether one is running. */
  busy: z.boolean(),
  /** The last that succeeded. */
  syncedAt: z.iso.datetime().nullable(),
  /** How many failed since. */
  failures: z.int(),
  failedAt: z.iso.datetime().nullable(),
  /** Why the last one failed; a sentence for the admin. */
  error: z.string().nullable(),
  /** Since when a process cannot hear the changes that the source's server tells of; `null` = it can, or does not listen. */
  deafSince: z.iso.datetime().nullable(),
  /** When the next one is due; `null` = by hand. */
  nextAt: z.iso.datetime().nullable(),
});

/** `GET /api/admin/source-health`: every source that is imported, and every breaker that is not closed, in order of name. */
export const sourceHealthList = z.object({ items: z.array(sourceHealth), breakers: z.array(trippedSource) });

/** A source's health. */
export type SourceHealthRow = z.output<typeof sourceHealth>;
/** How all sources are. */
export type SourceHealthList = z.output<typeof sourceHealthList>;
