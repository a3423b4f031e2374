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

/** The answer of every list: `total` counts all rows that match. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly total: number;
}

/** A page's schema for a row's schema. */
export function pageOf<T extends z.ZodType>(row: T) {
  return z.object({ items: z.array(row), nextCursor: z.string().nullable(), total: z.int() });
}
