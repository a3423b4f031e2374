import { z } from "zod";
import { positionCursor } from "@/lib/contracts/changes/list";

/** A profile of the code, read-only (docs/reference/decision.md#profile). */
export const profileRow = z.object({
  name: z.string(),
  meaning: z.string(),
  allowedSources: z.array(z.string()),
  deniedSources: z.array(z.string()),
  allowedNames: z.array(z.string()),
  deniedNames: z.array(z.string()),
  /** Tools that the profile allows and that wait for an admin to accept their definition. */
  drift: z.int(),
  /** Tools of the catalogue that callers under the profile may have, and that it withholds. */
  allowed: z.int(),
  denied: z.int(),
});

/** Orders of the list of profiles. */
const orders = ["name", "-name", "drift", "-drift"] as const;

/** `GET /api/admin/profiles`: the code's own, a few; a cursor is a position. */
export const profileQuery = z.strictObject({
  /** Only those whose name or meaning contains this, whatever the case. */
  q: z.string().max(200).optional(),
  /** Absent: as the code has them. */
  sort: z.enum(orders).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: positionCursor,
});

/** The list's search and order. */
export type ProfileQuery = z.output<typeof profileQuery>;
/** A profile. */
export type ProfileRow = z.output<typeof profileRow>;
