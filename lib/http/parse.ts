import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { fieldProblems } from "@/lib/http/problem";

/** Path parameters by their schema. @throws AppError `not_found`: there is nothing at a bad address */
export async function parsePath(schema: z.ZodType, value: unknown): Promise<unknown> {
  const result = await schema.safeParseAsync(value);
  if (!result.success) throw new AppError("not_found", "There is nothing at this address.");
  return result.data;
}

/** A query or body by its schema. @throws AppError `invalid_request` that names every field at fault */
export async function parse(schema: z.ZodType, value: unknown, what: "query" | "body"): Promise<unknown> {
  const result = await schema.safeParseAsync(value);
  if (result.success) return result.data;
  throw new AppError("invalid_request", `The ${what} is not valid.`, { errors: fieldProblems(result.error) });
}

/** The query as an object: a single key is text, a repeated one a list. */
export function queryOf(url: URL): Record<string, string | string[]> {
  const keys = new Set(url.searchParams.keys());
  return Object.fromEntries([...keys].map((key) => [key, oneOrMany(url.searchParams.getAll(key))]));
}

function oneOrMany(values: string[]): string | string[] {
  const [first, ...rest] = values;
  return first !== undefined && rest.length === 0 ? first : values;
}
