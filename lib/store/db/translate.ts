import { DatabaseError } from "pg";
import { AppError } from "@/lib/errors";
import { Prisma } from "@/lib/store/generated/client";

/** Prisma's codes for a store that is missing, does not answer, or has no free connection. */
const LOST = new Set(["P1000", "P1001", "P1002", "P1003", "P1008", "P1011", "P1017", "P2024", "P2028", "P2037"]);

/** Converts an error of Prisma or its driver to an `AppError`. Other errors pass unchanged. Only this module knows those codes. */
function translate(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (isStatementTimeout(error) || isExpired(error))
    return unavailable("The store did not answer in time; try again shortly.", error);
  if (isLost(error)) return unavailable("The store cannot be reached; try again shortly.", error);
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return error;
  if (error.code === "P2002") return new AppError("conflict", "Another row already has this value.", { cause: error });
  if (error.code === "P2034")
    return new AppError("conflict", "Another change was saved at the same time: try again.", {
      cause: error,
    });
  if (error.code === "P2025") return new AppError("not_found", "The row does not exist.", { cause: error });
  return error;
}

/** Runs a statement and translates its errors. The clients of `database.ts` do this for every statement. */
export async function translateErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw translate(error);
  }
}

function unavailable(message: string, cause: unknown): AppError {
  return new AppError("config_unavailable", message, { cause, headers: { "retry-after": "1" } });
}

/** SQLSTATE of a statement that the database cancelled because it took too long. */
const QUERY_CANCELED = "57014";

/** Whether the database cancelled a statement that took too long. Then the store is not lost. */
export function isStatementTimeout(error: unknown): boolean {
  return reportOf(error instanceof AppError ? error.cause : error).states.includes(QUERY_CANCELED);
}

/** Whether a transaction took longer than its timeout. Then the store is not lost. */
function isExpired(error: unknown): boolean {
  return (
    error instanceof Prisma.PrismaClientKnownRequestError &&
    error.code === "P2028" &&
    error.meta?.["timeTaken"] !== undefined
  );
}

/** Whether the error means that the store is lost, not that a statement is wrong. */
function isLost(error: unknown): boolean {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError && LOST.has(error.code)) return true;
  const { kind, severity, states } = reportOf(error);
  if (severity === "FATAL" || severity === "PANIC" || states.some((state) => LOST_STATES.test(state))) return true;
  const text =
    error instanceof Error ? `${error.name} ${error.message} ${String(error.cause ?? "")} ${String(kind ?? "")}` : "";
  return LOST_TEXT.test(text);
}

/** Messages of sockets, pg and its pool, which have no codes, and kinds of the driver. A raw statement reports only the kind. */
const LOST_TEXT =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|Connection terminated|timeout exceeded when trying to connect|Query read timeout|Connection ended|Client has encountered a connection error|DatabaseNotReachable|SocketTimeout|ConnectionClosed/i;

/** SQLSTATE classes: connection exception, insufficient resources, operator intervention (shutdown). */
const LOST_STATES = /^(08|53|57)/;

/** The driver's kind of error, and Postgres's own report: the severity (FATAL ends the connection) and the SQLSTATE. */
interface Report {
  readonly kind?: unknown;
  readonly severity: unknown;
  readonly states: readonly string[];
}

/** The report in an error of the driver or of Prisma; empty for other errors. */
function reportOf(error: unknown): Report {
  if (error instanceof DatabaseError) return toReport(error.severity, [error.code]);
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return toReport(undefined, []);
  const { driverAdapterError } = (error.meta ?? {}) as { driverAdapterError?: { cause?: unknown } };
  const { kind, severity, code, originalCode } = (driverAdapterError?.cause ?? {}) as Record<string, unknown>;
  return { kind, ...toReport(severity, [code, originalCode]) };
}

function toReport(severity: unknown, states: readonly unknown[]): Report {
  return { severity, states: states.filter((state) => typeof state === "string") };
}
