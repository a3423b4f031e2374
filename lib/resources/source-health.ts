import { z } from "zod";

/** Failed syncs in a row from which a source is unhealthy (4-execution, Sync). */
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
  /** When the next one is due; `null` = by hand. */
  nextAt: z.iso.datetime().nullable(),
});

/** `GET /api/admin/source-health`: every source that is imported, in order of name. */
export const sourceHealthList = z.object({ items: z.array(sourceHealth) });

/** A source's health. */
export type SourceHealthRow = z.output<typeof sourceHealth>;
