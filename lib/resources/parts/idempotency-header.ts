import { z } from "zod";

/**
 * The request header in which an upstream takes an idempotency key. Who states one promises that the upstream does a
 * repeated request once: without it a request that may have been done is never sent again.
 */
export const idempotencyHeader = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "use a header name, such as Idempotency-Key")
  .nullable()
  .default(null);
