/** Advice when the database does not answer. */
export const CHECK_DATABASE = "Check DATABASE_URL, and that Postgres runs and lets this machine in.";

/** Says why the database does not answer, and what the operator can do. */
export function noAnswer(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The database does not answer: ${why}. ${CHECK_DATABASE}`;
}
