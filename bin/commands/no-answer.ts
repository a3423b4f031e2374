import { AppError, messageOf } from "@/lib/errors";

/** Advice when the database does not answer. */
export const CHECK_DATABASE =
  "Check DATABASE_URL. Check that Postgres is running and accepts connections from this machine.";

/** Says why the database does not answer, and what the operator can do. */
export function noAnswer(error: unknown): string {
  return `The database does not respond: ${reasonOf(error)}. ${CHECK_DATABASE}`;
}

/** The reason of a failure, for the operator: the driver's message instead of the one for callers of the API. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof AppError ? (error.cause ?? error) : error;
  return messageOf(reason);
}
