import { z } from "zod";
import { requestRow } from "@/lib/contracts/changes/request";
import { pauseRow } from "@/lib/resources/pause";

/** `GET /api/admin/attention`: what every page shows of the work that waits for people. Counts are exact. */
export const attention = z.object({
  /** Calls that wait for an approval. */
  calls: z.int(),
  /** Open access requests. */
  access: z.int(),
  /** Open change requests. */
  changes: z.int(),
  /** Tools whose change at their source waits for review. */
  drift: z.int(),
  /** Groups of refusals of the last 24 hours that nobody has resolved. */
  denials: z.int(),
  /** The pauses in force, widest scope first. */
  pauses: z.array(pauseRow),
  /** Changes applied without review that no second person has confirmed; at most five. */
  unconfirmed: z.array(requestRow),
});

/** What waits for people. */
export type Attention = z.output<typeof attention>;
