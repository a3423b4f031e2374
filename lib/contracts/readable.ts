import type { z } from "zod";

/** A value that a route returns: it may be read-only. Where any JSON is allowed, nothing is compared. */
export type Readable<T> = [z.core.util.JSONType] extends [T]
  ? unknown
  : T extends object
    ? { readonly [P in keyof T]: Readable<T[P]> }
    : T;
