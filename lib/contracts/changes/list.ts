import { z } from "zod";

/** The query of every list: `q` searches, `sort` is a column with an optional `-`, `cursor` is opaque. */
export const listQuery = z.looseObject({
  q: z.string().max(200).optional(),
  sort: z
    .string()
    .regex(/^-?[A-Za-z]+$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
  cursor: z.string().max(500).optional(),
});

/** A list's query; further keys are the resource's filters. */
export type ListQuery = z.output<typeof listQuery>;

/** The cursor of a list that is wholly in memory: a position in it. */
export const positionCursor = z
  .string()
  .regex(/^\d{1,9}$/, "use the `nextCursor` of a page")
  .optional();

/** A list counts at most this many rows: counting a whole log would take longer with its age. */
export const MAX_COUNTED = 10_000;

/** The answer of every list: `total` counts all rows that match. */
export interface Page<T> extends Total {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** The number of matching rows: all, or `MAX_COUNTED` with `more`. */
export interface Total {
  readonly total: number;
  readonly totalIsAtLeast?: true | undefined;
}

/** Converts a count that stopped at `MAX_COUNTED + 1` at the latest. */
export function toTotal(counted: number): Total {
  return counted > MAX_COUNTED ? { total: MAX_COUNTED, totalIsAtLeast: true } : { total: counted };
}

/** One page of rows that are all in memory; its cursor is a `positionCursor`. */
export function pageAt<T>(
  rows: readonly T[],
  { limit, cursor = "0" }: { readonly limit: number; readonly cursor?: string | undefined },
): Page<T> {
  const start = Number(cursor);
  const end = start + limit;
  return {
    items: rows.slice(start, end),
    nextCursor: end < rows.length ? String(end) : null,
    total: rows.length,
  };
}

/** The schema of a page of rows. */
export function pageOf<T extends z.ZodType>(row: T) {
  return z.object({
    items: z.array(row),
    nextCursor: z.string().nullable(),
    total: z.int(),
    totalIsAtLeast: z.literal(true).optional(),
  });
}
