import type { Json } from "@/lib/access/model/configuration";
import { listFirst } from "@/lib/access/model/lists";

/** The most problems in one answer (docs/reference/http.md#invalid_arguments). */
export const MAX_PROBLEMS = 5;

/** One place where a value does not fit its schema; `pointer` is a JSON pointer into the value. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Checks one value; none = it fits. At most `MAX_PROBLEMS`. */
export type Validate = (value: Json) => readonly SchemaProblem[];

/** The most known names in one message. */
const MAX_NAMES = 20;

/** The names that an object's schema declares, for the message about one that it does not; empty without any. */
export function declaredNames(properties: unknown): string {
  if (typeof properties !== "object" || properties === null) return "";
  const names = Object.keys(properties);
  if (names.length === 0) return "";
  return `; declared: ${listFirst(names, MAX_NAMES, (name) => `\`${name.slice(0, 200)}\``)}`;
}
