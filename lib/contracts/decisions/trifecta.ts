import { z } from "zod";
import { callerShape } from "@/lib/contracts/decisions/caller-shape";

/** The most tools that an answer names for one corner of a triangle. It counts all of them. */
export const MAX_NAMED_TOOLS = 20;

/** Tools: their number, and the first of them by id. */
const corner = z.object({ count: z.int(), tools: z.array(z.string()) });

/** What one caller can read and send (docs/reference/decision.md#trifecta). */
const trifectaCaller = z.object({
  ...callerShape,
  /** Why the caller gets no tools at all; `null` = its tools were decided. */
  refused: z.string().nullable(),
  private: corner,
  untrusted: corner,
  outward: corner,
  /** The tools that still send out once the caller has read both; none = the triangle is closed. */
  open: corner,
  /** The restriction that closes the triangle and restricts the fewest tools; `null` = the triangle is closed. */
  smallest: z
    .object({
      is: z.string().nullable(),
      tool: z.string().nullable(),
      /** The number of tools that it restricts. */
      tools: z.int(),
    })
    .nullable(),
});

/** `GET /api/admin/trifecta`: known callers, open triangles first. */
export const trifectaOutput = z.object({
  revision: z.int(),
  callers: z.array(trifectaCaller),
  /** The number of known callers. Fewer are shown when the time limit ended the work. */
  known: z.int(),
  /** Whether the log has more callers than are known here. */
  more: z.boolean(),
});

/** What one caller can read and send. */
export type TrifectaCaller = z.output<typeof trifectaCaller>;
/** The triangles of the known callers. */
export type TrifectaOutput = z.output<typeof trifectaOutput>;
