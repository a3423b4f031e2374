import { AppError } from "@/lib/errors";
import { settingsInput } from "@/lib/resources/settings";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { announce } from "@/lib/store/events/events";
import { markRequestedImport } from "@/lib/store/sources/import-jobs";
import type { Prisma } from "@/lib/store/generated/client";
import {
  answered,
  finishAnswer,
  requirePresent,
  requireRequest,
  requireUpToDate,
  type Answerer,
} from "@/lib/store/requests/answer-change";
import { bypassedDefinitions } from "@/lib/store/requests/bypass-definitions";
import { requireApart } from "@/lib/store/requests/bypass-revert";
import { requiresSecondPerson } from "@/lib/store/requests/requires-second-person";
import { requestedChanges, toChanges } from "@/lib/store/requests/change-body";
import type { StoredRequest } from "@/lib/store/requests/requests";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import type { Stored } from "@/lib/store/save/stored";
import { write } from "@/lib/store/save/write";

/** The oldest sign-in that may apply a change without review. */
const SIGN_IN_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

/** The person who applies a change without review, and when they signed in (epoch seconds). */
interface Bypasser extends Answerer {
  readonly signedInAt: number | null;
}

/** Whether a sign-in (epoch seconds; `null` for a token) is recent enough to apply a change without review. */
export function isRecentSignIn(signedInAt: number | null, now: Date): boolean {
  return signedInAt !== null && now.getTime() - signedInAt * 1000 <= SIGN_IN_MS;
}

/**
 * Applies an open change request at once, without a second person. The request becomes `bypassed`: it is reverted after
 * `review.bypassHours`, unless a second person confirms it.
 *
 * @throws AppError `not_found`; `forbidden` without a recent sign-in, for a token, without a permission, and for rows that
 * only a review may change; `conflict` for another hash, an answered or outdated request; the errors of `write`
 */
export async function bypassChange(
  id: string,
  { hash, reason }: { readonly hash: string; readonly reason: string },
  admin: Bypasser,
  now: Date,
): Promise<StoredRequest> {
  const { actor, requestId } = admin;
  const userId = requireSignedIn(admin, now);
  const request = await requireRequest(id);
  if (request.hash !== hash)
    throw new AppError("conflict", "The request has changed since you read it: load it again.");
  if (request.status !== "open") throw await answered(id);
  const refused = refusalOfBypass(request);
  if (refused !== null) throw new AppError("forbidden", refused);
  const changes = requestedChanges(request);
  let until = now;
  let definitions: Definitions = new Map();
  const plan = async (stored: Stored, tx: Prisma.TransactionClient) => {
    await requirePresent(tx, userId, "changes:bypass", changes);
    await requireApart(tx, changes);
    until = new Date(now.getTime() + (await bypassHours(stored)) * HOUR_MS);
    await requireUpToDate(stored, changes);
    definitions = await bypassedDefinitions(stored, tx, request);
    return toChanges(request);
  };
  const saving = write(actor, plan, {
    paths: "document",
    note: `applied without review (${id})`,
    review: "exempt",
    // An approval would refuse them too.
    takesForms: false,
    now,
    // Not only when it is confirmed: a sync compares the source with what the tools say now.
    definitions: () => definitions,
    onSaved: async (tx, { revision, changes: saved }) => {
      await markRequestedImport(tx, id, { revision, changes: saved });
      const { count } = await tx.request.updateMany({
        where: { id, status: "open", hash, closesAt: { gt: now } },
        data: {
          status: "bypassed",
          closesAt: until,
          revision,
          bypassedBy: actor.name,
          bypassedById: userId,
          bypassedReason: reason,
          bypassedAt: now,
        },
      });
      if (count === 0) throw await answered(id);
      await recordAuditEvent({ actor, action: "requests.bypassed", target: id, requestId }, tx, now);
      await announce(tx, {
        type: "change.bypassed",
        path: `/admin/requests/${id}`,
        data: { request_id: id, by: actor.name, rows: changes.length, revision, reverts_at: until.toISOString() },
      });
    },
  });
  return finishAnswer(saving, id, admin);
}

/** The id of a person who signed in lately. @throws AppError `forbidden` */
function requireSignedIn({ actor, userId, signedInAt }: Bypasser, now: Date): string {
  if (actor.kind !== "user" || userId === null || signedInAt === null)
    throw new AppError("forbidden", "Only a person who is signed in can apply a change without review. No token can.");
  if (!isRecentSignIn(signedInAt, now))
    throw new AppError("forbidden", "Your sign-in is older than 10 minutes. Sign in again, and repeat this.");
  return userId;
}

/** Why a request can never be applied without review; `null` when it can. */
export function refusalOfBypass(request: StoredRequest): string | null {
  if (request.status !== "open") return "The request does not wait for an answer.";
  if (request.secrets !== null) return "It sets a secret, so a second person must approve it.";
  const first = requestedChanges(request).find(requiresSecondPerson);
  if (first === undefined) return null;
  return `It changes ${first.resource}/${first.id}, which only a second person may approve: people, tokens, secrets, approvers and the settings of reviews.`;
}

async function bypassHours(stored: Stored): Promise<number> {
  const row = await stored.get("settings", "settings");
  return settingsInput.parse(row?.value ?? {}).review.bypassHours;
}
