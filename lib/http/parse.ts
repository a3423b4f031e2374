import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { fieldProblems } from "@/lib/http/problem";

/**
 * Parses path parameters.
 * @throws AppError `not_found`: an invalid address names nothing
 */
export function parsePath(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success || holdsNul(result.data)) throw new AppError("not_found", "There is nothing at this address.");
  return result.data;
}

/** The parse result of an empty query per schema: most requests have no query. No caller changes a parsed value. */
const emptyQueries = new WeakMap<z.ZodType, unknown>();

/**
 * Parses a query.
 * @throws AppError `invalid_request` that names every invalid field
 */
export function parseQuery(schema: z.ZodType, query: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(query).length > 0) {
    refuseNul(query);
    return parse(schema, query, "query");
  }
  const known = emptyQueries.get(schema) ?? parse(schema, query, "query");
  emptyQueries.set(schema, known);
  return known;
}

/**
 * Parses a query or body.
 * @throws AppError `invalid_request` that names every invalid field
 */
export function parse(schema: z.ZodType, value: unknown, what: "query" | "body"): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new AppError("invalid_request", `The ${what} is not valid.`, { errors: fieldProblems(result.error) });
}

/** An address's query as an object: a single key is a text, a repeated key a list. */
export function queryOf(address: string): Record<string, string | string[]> {
  if (!address.includes("?")) return {};
  const values = new Map<string, string | string[]>();
  for (const [key, value] of new URL(address).searchParams) {
    const known = values.get(key);
    if (Array.isArray(known)) known.push(value);
    else values.set(key, known === undefined ? value : [known, value]);
  }
  return Object.fromEntries(values);
}

/** No database stores NUL, so no search can find it: refused here. `readJson` checks the text of bodies. */
function refuseNul(query: Readonly<Record<string, unknown>>): void {
  const errors = Object.entries(query)
    .filter((pair) => holdsNul(pair))
    .map(([key]) => ({ path: key.replaceAll("\0", ""), message: "contains a NUL character" }));
  if (errors.length > 0) throw new AppError("invalid_request", "The query is not valid.", { errors });
}

/** Whether a text, or a text inside it, holds NUL. Queries are flat, so this does not go deep. */
function holdsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "object" && value !== null && Object.values(value).some(holdsNul);
}
