import pino, { type Logger } from "pino";
import { env } from "@/lib/env";

let logger: Logger | undefined;

/**
 * Structured log: request ids, no bodies, no secrets (4-execution, Telemetry). Made at first use, because
 * a build loads this module and has no environment.
 */
export const log: Logger = new Proxy({} as Logger, {
  get: (_target, key) => {
    logger ??= pino({
      level: env.LOG_LEVEL,
      base: null,
      redact: { paths: ["*.password", "*.secret", "*.token", "*.authorization", "*.cookie"], censor: "[redacted]" },
    });
    const value: unknown = Reflect.get(logger, key);
    return typeof value === "function" ? value.bind(logger) : value;
  },
});
