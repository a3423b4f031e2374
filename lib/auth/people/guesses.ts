import { AppError } from "@/lib/errors";
import type { Person } from "@/lib/auth/people/user";
import { can } from "@/lib/resources/permissions";
import { countRepeatedRead } from "@/lib/store/audit/refusals";
import { countInWindow } from "@/lib/store/calls/limits";

/** Conditions that a person without `executions:bodies` may count per minute. */
export const GUESSES_PER_MINUTE = 120;
/**
 * The number of conditions that a query with named callers counts as. With a policy that a person writes for this, its
 * answer reveals as much about claims as a count of each condition.
 */
export const GUESSES_PER_NAMED_CALLERS = 4;
const WINDOW_SECONDS = 60;

/**
 * Whether a person gets only coarse counts of callers: exact counts of chosen conditions would reveal claims. Limits the
 * queries of such persons over all processes. Everybody's queries appear in the audit trail.
 *
 * @param guesses the number of conditions in the query
 * @param now epoch milliseconds
 * @throws AppError `rate_limited`; `config_unavailable` when the queries cannot be counted
 */
export async function admitGuesses(
  { actor, role }: Person,
  guesses: number,
  now = Date.now(),
): Promise<{ readonly coarse: boolean }> {
  const coarse = !can(role, "executions:bodies");
  const by = readerOf(actor);
  const limit = { key: `guesses ${by.kind} ${by.name}`, cap: GUESSES_PER_MINUTE, seconds: WINDOW_SECONDS };
  if (coarse && !(await countInWindow(limit, guesses, now))) {
    throw new AppError("rate_limited", "Too many conditions were counted in one minute: try again in a minute.", {
      headers: { "retry-after": "60" },
    });
  }
  countRepeatedRead({ action: "impact.matchers", reason: coarse ? "coarse counts" : "exact counts", by });
  return { coarse };
}

/** Records that a person read values of callers' claims. */
export function recordClaimRead({ actor }: Person): void {
  countRepeatedRead({ action: "impact.matchers", reason: "claim values", by: readerOf(actor) });
}

function readerOf({ kind, name }: Person["actor"]) {
  return { kind: kind === "token" ? "token" : "user", name } as const;
}
