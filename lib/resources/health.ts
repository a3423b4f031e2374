import { z } from "zod";

/** The answer of `GET /api/health`. */
export const healthOutput = z.object({ status: z.literal("ok") });

/** The answer of `GET /api/ready`: what is there, and what is not (then with status 503). */
export const readyOutput = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.object({ database: z.boolean(), migrations: z.boolean(), configuration: z.boolean() }),
});
