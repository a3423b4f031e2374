import { AppError } from "@/lib/errors";
import { db } from "@/lib/store/db/database";
import { REVIEW_MODES, type ReviewMode } from "@/lib/resources/parts/words";
import { KINDS, type ResourceName } from "@/lib/resources/kinds";
import type { Actor, AppliedChange } from "@/lib/store/save/change";
import { Stored } from "@/lib/store/save/stored";

// What is different while a second person reviews changes: new credentials are created disabled, and none is rotated.

/** The mode that the row of the settings states. A mode that this version does not know counts as the strictest. */
export function statedReviewMode(row: object | null | undefined): ReviewMode {
  const stated = (row as { value?: { review?: { changes?: unknown } } } | null | undefined)?.value?.review?.changes;
  return stated === undefined ? "off" : (REVIEW_MODES.find((mode) => mode === stated) ?? "all");
}

/** The mode in force. Reads only this field, so that it also works while other settings do not parse. */
export async function reviewModeOf(stored: Stored): Promise<ReviewMode> {
  return statedReviewMode(await stored.get("settings", "settings"));
}

/** Whether changes of this actor are reviewed. The writer reads the setting again under its lock. */
async function isReviewed({ kind }: Actor): Promise<boolean> {
  return kind !== "system" && (await reviewModeOf(new Stored(db()))) !== "off";
}

/**
 * A new credential as it is saved: while changes are reviewed it is created disabled, because its secret is shown only
 * once and a request could not show it. Enabling it is the change that waits.
 */
export async function asCreated<Input extends { readonly enabled: boolean }>(
  actor: Actor,
  input: Input,
): Promise<Input> {
  return input.enabled && (await isReviewed(actor)) ? { ...input, enabled: false } : input;
}

/** Kinds of rows whose secret is shown only in the answer that creates them. */
const SHOWN_ONCE: ReadonlySet<string> = new Set(["api-keys", "tokens", "users", "webhooks"]);

/** The warning about a new credential that `asCreated` creates disabled; `null` for every other change. */
export function createdDisabled({ resource, action, id }: AppliedChange): string | null {
  if (action !== "create" || !SHOWN_ONCE.has(resource)) return null;
  return `The ${KINDS[resource as ResourceName].words[0]} \`${id}\` is created switched off, because its secret is shown only once. Switching it on waits for a second person.`;
}

/**
 * Refuses to show a new secret of a row in use while changes are reviewed.
 *
 * @param message says what the person can do instead
 * @throws AppError `conflict`
 */
export async function refuseRotation(
  actor: Actor,
  message = "While changes are reviewed, a row in use gets no new secret. Create another row, and request to enable it.",
): Promise<void> {
  if (await isReviewed(actor)) throw new AppError("conflict", message);
}
