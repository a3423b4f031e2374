import { z } from "zod";
import { positionCursor, pageOf } from "@/lib/contracts/changes/list";
import type { Readable } from "@/lib/contracts/operations/operation";

/** A profile that the code defines, read-only (docs/reference/decision.md#profile). */
export const profileRow = z.object({
  name: z.string(),
  meaning: z.string(),
  allowedSources: z.array(z.string()),
  deniedSources: z.array(z.string()),
  allowedNames: z.array(z.string()),
  deniedNames: z.array(z.string()),
  /** The number of tools that the profile allows but whose definition an admin must still accept. */
  drift: z.int(),
  /** The numbers of tools that the profile allows and withholds. */
  allowed: z.int(),
  denied: z.int(),
});

/** A page of profiles. */
export const profilePage = pageOf(profileRow);

/** Sort orders of the list of profiles. */
const orders = ["name", "-name", "drift", "-drift"] as const;

/** `GET /api/admin/profiles`: the few profiles of the code; a cursor is a position. */
export const profileQuery = z.strictObject({
  /** Only profiles whose name or meaning contains this text, ignoring case. */
  q: z.string().max(200).optional(),
  /** Absent: the order in the code. */
  sort: z.enum(orders).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: positionCursor,
});

/** The list's search and order. */
export type ProfileQuery = z.output<typeof profileQuery>;
/** A profile. */
export type ProfileRow = Readable<z.output<typeof profileRow>>;
