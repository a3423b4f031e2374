import { AppError } from "@/lib/errors";
import { can, type Role } from "@/lib/resources/permissions";
import { REVIEW_MODES } from "@/lib/resources/parts/words";
import type { AppliedChange } from "@/lib/store/save/change";

/** Reviews need this many people who may answer change requests, because nobody answers their own. */
const MIN_REVIEWERS = 2;

/**
 * Refuses to switch reviews on, and to remove or demote people while they are on, when fewer than two enabled people could
 * answer change requests afterwards. Other changes are saved, also when the OpenID provider left only one.
 * Runs under the writers' lock on the state after all changes.
 *
 * @throws AppError `conflict`
 */
export async function requireReviewersLeft(
  changes: readonly AppliedChange[],
  after: {
    readonly settings: () => Promise<ReadonlyMap<string, object>>;
    readonly users: () => Promise<ReadonlyMap<string, object>>;
  },
): Promise<void> {
  const switchesOn = changes.some(
    ({ resource, before, after: row }) => resource === "settings" && isReviewing(row) && !isReviewing(before),
  );
  const isLeaving = ({ resource, before, after: row }: AppliedChange) =>
    resource === "users" && isReviewer(before) && !isReviewer(row);
  if (!switchesOn && !changes.some(isLeaving)) return;
  if (![...(await after.settings()).values()].some(isReviewing)) return;
  if ([...(await after.users()).values()].filter(isReviewer).length >= MIN_REVIEWERS) return;
  throw new AppError("conflict", `${NEED_TWO}. Enable or add another admin or editor first.`, {
    errors: switchesOn
      ? [{ path: "review.changes", message: `${NEED_TWO}: add another admin or editor under Users` }]
      : [],
  });
}

const NEED_TWO = "Reviews of changes need two enabled people who may approve changes";

function isReviewing(row: object | null): boolean {
  const mode = (row as { value?: { review?: { changes?: string } } } | null)?.value?.review?.changes;
  return mode !== "off" && REVIEW_MODES.some((known) => known === mode);
}

function isReviewer(user: object | null): boolean {
  const { role, enabled } = (user ?? {}) as { readonly role?: Role; readonly enabled?: boolean };
  return enabled === true && role !== undefined && can(role, "changes:approve");
}
