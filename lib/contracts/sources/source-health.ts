import { z } from "zod";
import { trippedSource } from "@/lib/contracts/sources/breaker";

/** A source is unhealthy from this many consecutive failed syncs (docs/reference/execution.md#sync). */
export const UNHEALTHY_AFTER = 3;

/**
 * The health of a source's syncs: `unknown` = never synchronised, `degraded` = the last one failed, `unhealthy` = the
 * last three failed.
 */
const sourceHealth = z.object({
  source: z.string(),
  health: z.enum(["unknown", "healthy", "degraded", "unhealthy"]),
  /** Whether a sync is running. */
  busy: z.boolean(),
  /** The time of the last successful sync. */
  syncedAt: z.iso.datetime().nullable(),
  /** Failed syncs since then. */
  failures: z.int(),
  failedAt: z.iso.datetime().nullable(),
  /** Why the last sync failed; a sentence for the admin. */
  error: z.string().nullable(),
  /**
   * Since when a process cannot receive change notifications of the source's server; `null` = it can, or does not
   * listen.
   */
  deafSince: z.iso.datetime().nullable(),
  /** When the next sync is due; `null` = by hand. */
  nextAt: z.iso.datetime().nullable(),
});

/** `GET /api/admin/source-health`: every imported source, and every breaker that is not closed, in order of name. */
export const sourceHealthList = z.object({ items: z.array(sourceHealth), breakers: z.array(trippedSource) });

/** A source's health. */
export type SourceHealthRow = z.output<typeof sourceHealth>;
/** The health of all sources. */
export type SourceHealthList = z.output<typeof sourceHealthList>;
