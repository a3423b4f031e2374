import pino from "pino";
import { env } from "@/lib/env";

/** Structured log: request ids, no bodies, no secrets (4-execution, Telemetry). */
export const log = pino({
  level: env.LOG_LEVEL,
  base: null,
  redact: { paths: ["*.password", "*.secret", "*.token", "*.authorization", "*.cookie"], censor: "[redacted]" },
});
