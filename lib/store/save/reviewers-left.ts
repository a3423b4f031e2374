import { AppError } from "@/lib/errors";
import { can, type Role } from "@/lib/resources/permissions";
import type { AppliedChange, RowsAfter } from "@/lib/store/save/change";
import { statedReviewMode } from "@/lib/store/save/review-mode";

/** Nobody may answer their own change request, so reviews need a second person. */
const MIN_REVIEWERS = 2;

/**
 * Refuses to switch reviews on, and to remove or demote people while they are on, when fewer than two enabled people could
 * answer change requests afterwards. Does not check other changes, because the OpenID provider may have left only one such
 * person. Needs the writers' lock.
 *
 * @throws AppError `conflict`
 */
export async function requireReviewersLeft(changes: readonly AppliedChange[], rowsAfter: RowsAfter): Promise<void> {
  const turnsReviewOn = changes.some(
    ({ resource, before, after: row }) => resource === "settings" && isReviewOn(row) && !isReviewOn(before),
  );
  const losesReviewer = ({ resource, before, after: row }: AppliedChange) =>
    resource === "users" && isReviewer(before) && !isReviewer(row);
  if (!turnsReviewOn && !changes.some(losesReviewer)) return;
  if (![...(await rowsAfter("settings")).values()].some(isReviewOn)) return;
  if ([...(await rowsAfter("users")).values()].filter(isReviewer).length >= MIN_REVIEWERS) return;
  throw new AppError("conflict", `${NEED_TWO}. Enable or add another admin or editor first.`, {
    errors: turnsReviewOn
      ? [{ path: "review.changes", message: `${NEED_TWO}: add another admin or editor under Users` }]
      : [],
  });
}

const NEED_TWO = "Reviews of changes need two enabled people who may approve changes";

function isReviewOn(row: object | null): boolean {
  return statedReviewMode(row) !== "off";
}

function isReviewer(user: object | null): boolean {
  const { role, enabled } = (user ?? {}) as { readonly role?: Role; readonly enabled?: boolean };
  return enabled === true && role !== undefined && can(role, "changes:approve");
}
