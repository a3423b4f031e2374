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
  if (error instanceof Prisma.PrismaClientKnownRequestError && LOST.has(error.code)) return true;
  const text = error instanceof Error ? `${error.name} ${error.message} ${String(error.cause ?? "")}` : "";
  return /ECONNREFUSED|ECONNRESET|EPIPE|ENOENT.*PGSQL|Connection terminated|timeout exceeded when trying to connect|Query read timeout|the database system is (starting up|shutting down)|terminating connection|too many clients|DatabaseNotReachable|SocketTimeout|ConnectionClosed/i.test(
    text,
  );
}
