import { z } from "zod";
import { requestRow } from "@/lib/contracts/changes/request";
import { pauseRow } from "@/lib/resources/pause";

/**
 * `GET /api/admin/attention`: what every page shows of the work that waits for people. A part that could not be read is
 * `null`, so that it hides no other.
 */
export const attention = z.object({
  /** The pauses in force, widest scope first. */
  pauses: z.array(pauseRow),
  /** Calls that wait for an approval. */
  calls: z.int().nullable(),
  /** Open requests. */
  requests: z.object({ access: z.int(), changes: z.int() }).nullable(),
  /** Tools whose change at their source waits for review. */
  drift: z.int().nullable(),
  /** Changes applied without review that no second person has confirmed; at most five. */
  unconfirmed: z.array(requestRow).nullable(),
});

/** What waits for people. */
export type Attention = z.output<typeof attention>;
