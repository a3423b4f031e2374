import { z } from "zod";

/**
 * The request header in which an upstream takes an idempotency key. Setting it states that the upstream executes a
 * repeated request once. Without it, a request that may have run is never sent again.
 */
export const idempotencyHeader = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "use a header name, such as Idempotency-Key")
  .nullable()
  .default(null);
