import pino, { type Logger } from "pino";
import { env } from "@/lib/env";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

let logger: Logger | undefined;

/**
 * Structured log: request ids, no bodies, no secrets (docs/reference/execution.md#telemetry). Created at first use,
 * because a build loads this module without an environment.
 */
export const log: Logger = new Proxy({} as Logger, {
  get: (_target, key) => {
    logger ??= pino({
      level: env.LOG_LEVEL,
      base: null,
      redact: { paths: ["*.password", "*.secret", "*.token", "*.authorization", "*.cookie"], censor: "[redacted]" },
      serializers: { err: (error: unknown) => toLogged(error) },
      formatters: { log: withoutSecrets },
    });
    const value: unknown = Reflect.get(logger, key);
    return typeof value === "function" ? value.bind(logger) : value;
  },
});

/** Masks secrets in fields, which may repeat texts of a caller or an upstream. */
function withoutSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, masked(value)]));
}

/** The fields that we log are flat, or lists of texts. */
function masked(value: unknown): unknown {
  if (typeof value === "string") return maskSecretShapes(value);
  return Array.isArray(value) ? value.map(masked) : value;
}

/** The most nested causes to log. */
const MAX_CAUSES = 5;

/**
 * The message of an error without its other members: drivers keep statements, parameters and rows there, and clients
 * whole answers.
 */
function toLogged(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, cause } = error;
  const code: unknown = Reflect.get(error, "code");
  return {
    type: name,
    message: maskSecretShapes(message),
    stack: stack === undefined ? undefined : maskSecretShapes(stack),
    ...(typeof code === "string" && { code }),
    ...(cause !== undefined && depth < MAX_CAUSES && { cause: toLogged(cause, depth + 1) }),
  };
}
