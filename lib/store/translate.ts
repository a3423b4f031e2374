import { AppError } from "@/lib/errors";
import { Prisma } from "@/lib/store/generated/client";

/** Prisma's codes for a store that is not there, does not answer, or has no connection to give. */
const LOST = new Set(["P1000", "P1001", "P1002", "P1003", "P1008", "P1011", "P1017", "P2024", "P2028", "P2037"]);

/**
 * A thrown value of Prisma or its driver as an `AppError`: the only place that knows their codes.
 * Anything else passes through unchanged.
 */
export function translate(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isLost(error))
    return new AppError("config_unavailable", "The store cannot be reached; try again shortly.", {
      cause: error,
      headers: { "retry-after": "1" },
    });
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  if (error.code === "P2002") return new AppError("conflict", "Another row already has this value.", { cause: error });
  if (error.code === "P2034")
    return new AppError("conflict", "Someone else changed the same thing at the same time; try again.", {
      cause: error,
    });
  if (error.code === "P2025") return new AppError("not_found", "There is no such row.", { cause: error });
  return error;
}

/** Runs a store operation; what it throws is translated. */
export async function translated<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translate(error);
  }
}

/** Whether the error means that the store was lost, as against a statement that is wrong. */
export function isLost(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError && (LOST.has(error.code) || isFatal(error))) return true;
  const text = error instanceof Error ? `${error.name} ${error.message} ${String(error.cause ?? "")}` : "";
  return LOST_TEXT.test(text);
}

/** What sockets, pg and its pool say; they have no codes of their own. */
const LOST_TEXT =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Connection ended|Client has encountered a connection error|DatabaseNotReachable|SocketTimeout|ConnectionClosed/i;

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (shutdown, time limit). */
const LOST_STATES = /^(08|53|57)/;

/** Postgres ended the connection, or never let it in: severity FATAL or worse, or such a state. */
function isFatal(error: Prisma.PrismaClientKnownRequestError): boolean {
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: { cause?: unknown } };
  const { severity, code, originalCode } = (driverAdapterError?.cause ?? {}) as Record<string, unknown>;
  if (severity === "FATAL" || severity === "PANIC") return true;
  return [code, originalCode].some((state) => typeof state === "string" && LOST_STATES.test(state));
}
