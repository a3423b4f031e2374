/** Advice when the database does not answer. */
export const CHECK_DATABASE =
  "Check DATABASE_URL. Check that Postgres is running and accepts connections from this machine.";

/** Says why the database does not answer, and what the operator can do. */
export function noAnswer(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `The database does not respond: ${why}. ${CHECK_DATABASE}`;
}
