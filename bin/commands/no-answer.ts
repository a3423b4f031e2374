/** What to do about a database that does not answer. */
export const CHECK_DATABASE = "Check DATABASE_URL, and that Postgres runs and lets this machine in.";

/** A database that does not answer, in words for the operator: why, and what to do. */
export function noAnswer(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The database does not answer: ${why}. ${CHECK_DATABASE}`;
}
