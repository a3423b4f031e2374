import { AppError } from "@/lib/errors";
import type { Person } from "@/lib/auth/people/user";
import { can } from "@/lib/resources/permissions";
import { countRepeatedRead } from "@/lib/store/audit/refusals";

/** Conditions that a person without `executions:bodies` may count per minute. */
export const GUESSES_PER_MINUTE = 120;
const WINDOW_MS = 60_000;
/** Most persons whose queries are counted at a time, more than will have such a role. */
const MOST_PERSONS = 10_000;

const asked = new Map<string, { readonly since: number; guesses: number }>();

/**
 * Whether a person gets only coarse counts of callers: exact counts of chosen conditions would reveal claims. Limits the
 * queries of such persons. Everybody's queries appear in the audit trail.
 *
 * @param guesses the number of conditions in the query
 * @param now epoch milliseconds
 * @throws AppError `rate_limited`
 */
export function admitGuesses({ actor, role }: Person, guesses: number, now = Date.now()): { readonly coarse: boolean } {
  const coarse = !can(role, "executions:bodies");
  const by = { kind: actor.kind === "token" ? "token" : "user", name: actor.name } as const;
  if (coarse && !mayGuess(`${by.kind} ${by.name}`, guesses, now)) {
    throw new AppError("rate_limited", "Too many conditions were counted: try again in a minute.", {
      headers: { "retry-after": "60" },
    });
  }
  countRepeatedRead({ action: "impact.matchers", reason: coarse ? "coarse counts" : "exact counts", by });
  return { coarse };
}

function mayGuess(who: string, guesses: number, now: number): boolean {
  const known = asked.get(who);
  const window = known === undefined || now - known.since >= WINDOW_MS ? { since: now, guesses: 0 } : known;
  if (window.guesses + guesses > GUESSES_PER_MINUTE && window.guesses > 0) return false;
  window.guesses += guesses;
  if (asked.size >= MOST_PERSONS) asked.clear();
  asked.set(who, window);
  return true;
}
