import type { Json } from "@/lib/access/model/configuration";

/** The most problems in one answer (docs/reference/http.md#invalid_arguments). */
export const MAX_PROBLEMS = 5;

/** One place where a value does not fit its schema; `pointer` is a JSON pointer into the value. */
export interface SchemaProblem {
  readonly pointer: string;
  readonly message: string;
}

/** Checks one value; none = it fits. At most `MAX_PROBLEMS`. */
export type Validate = (value: Json) => readonly SchemaProblem[];
