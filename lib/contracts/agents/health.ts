import { z } from "zod";

/** The answer of `GET /api/health`. */
export const healthOutput = z.object({ status: z.literal("ok") });

/** What protects the log (a database role that may only add, or triggers alone), and whether its rows are sealed. */
const logHealth = z.object({
  protection: z.enum(["role", "triggers", "unknown"]),
  /** `behind`: a row has waited for its seal for more than a minute. */
  sealing: z.enum(["current", "behind", "unknown"]),
});

/** The answer of `GET /api/ready`: what works, and what does not (then with status 503). */
export const readyOutput = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.object({ database: z.boolean(), migrations: z.boolean(), configuration: z.boolean() }),
  log: logHealth,
  /** Whether the app process answers; absent when one process serves agents and people. */
  app: z.enum(["ready", "starting"]).optional(),
});

/** How the log is protected and sealed. */
export type LogHealth = z.output<typeof logHealth>;
