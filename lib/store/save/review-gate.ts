import { canonicalText, isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { append } from "@/lib/access/model/lists";
import { judgeWithReverts, type judgeChanges } from "@/lib/config/review/judge";
import type { Verdict, VerdictReason } from "@/lib/contracts/changes/verdict";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import { AppError } from "@/lib/errors";
import type { ReviewMode } from "@/lib/resources/parts/words";
import type { Prisma } from "@/lib/store/generated/client";
import { db } from "@/lib/store/db/database";
import { runInTurns } from "@/lib/store/db/in-turns";
import { personIdOf } from "@/lib/store/people/person-of";
import { unconfirmedReverts, type Reverted } from "@/lib/store/requests/bypass-revert";
import { toBody } from "@/lib/store/requests/change-body";
import { openRequest, toRequestRow } from "@/lib/store/requests/requests";
import type { Actor, AppliedChange } from "@/lib/store/save/change";
import type { Definitions } from "@/lib/store/sources/upstream-definitions";
import { reviewModeOf } from "@/lib/store/save/review-mode";
import { Stored } from "@/lib/store/save/stored";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * How a save passes the gate. `exempt`: without a judgement. `request`: as a new request, even while reviews are off.
 * `approved`: as the content of a request that was approved with this verdict.
 */
export type Review = "exempt" | "request" | { readonly approved: Verdict };

/** Milliseconds for one judgement. What is not proven by then is unknown. */
const JUDGE_MS = 2_000;
/** The factor of the one reason that a judgement gives when it exceeds `JUDGE_MS`. */
const OUT_OF_TIME = "time";
/** Most judgements of one save. A change by another writer makes each of them void. */
const MAX_JUDGEMENTS = 5;
/** Days that a request waits for an answer. */
const OPEN_DAYS = 30;
const DAY_MS = 86_400_000;
/** The accepted clock skew: an expired token still works this long, so its revocation must last as long. */
const SKEW_MS = 30_000;
/** Most changed rows that a request names. It counts all of them. */
const MAX_NAMED_ROWS = 20;

/** Thrown out of the writer's transaction: the changes have no verdict at this revision yet. */
class Unjudged extends Error {
  readonly revision: number;
  readonly changes: readonly AppliedChange[];
  readonly reverts: readonly Reverted[];

  constructor(revision: number, changes: readonly AppliedChange[], reverts: readonly Reverted[]) {
    super("The changes are not judged yet.");
    this.revision = revision;
    this.changes = changes;
    this.reverts = reverts;
  }
}

/** What the writer knows about a save when it asks the gate. */
interface Saving {
  readonly stored: Stored;
  readonly changes: readonly AppliedChange[];
  readonly definitions: Definitions;
  /** The present revision, under the writers' lock. */
  readonly revision: number;
  readonly note: string;
  readonly now: Date;
}

/**
 * The review gate of one save (docs/reference/governance.md#changes). The judgement needs the changes, which only the
 * writer's transaction knows, and must not hold its lock. So the first pass ends with `Unjudged`, the judgement runs
 * without the lock, and the next pass accepts it only at the same revision and for the same changes.
 */
export class ReviewGate {
  readonly #actor: Actor;
  readonly #review: Review | undefined;
  #judged: { readonly revision: number; readonly text: string; readonly verdict: Verdict } | null = null;
  #passes = 0;

  constructor(actor: Actor, review: Review | undefined) {
    this.#actor = actor;
    this.#review = review;
  }

  /** Whether the program or a command saves while reviews are on. The revision's note then says "not reviewed". */
  async isUnreviewed(stored: Stored): Promise<boolean> {
    return this.#review === undefined && this.#actor.kind === "system" && (await reviewModeOf(stored)) !== "off";
  }

  /**
   * Admits the changes, or opens a request for them and returns its answer. Runs under the writers' lock.
   *
   * @throws Unjudged; AppError `conflict` when an approved request would now widen more than its verdict says
   */
  async admit(tx: Prisma.TransactionClient, saving: Saving): Promise<AppError | null> {
    if (this.#review === "exempt" || (this.#review === undefined && this.#actor.kind === "system")) return null;
    const isRequest = this.#review === "request";
    const mode = await reviewModeOf(saving.stored);
    if (!isRequest && (mode === "off" || saving.changes.every((change) => neverWaits(change, saving.now)))) return null;
    const text = textOf(saving.changes);
    if (this.#judged?.revision !== saving.revision || this.#judged.text !== text)
      throw new Unjudged(saving.revision, saving.changes, await unconfirmedReverts(saving.stored, tx));
    const { verdict } = this.#judged;
    if (typeof this.#review === "object") {
      requireNoWider(verdict, this.#review.approved);
      return null;
    }
    if (!isRequest && passes(mode, verdict)) return null;
    return this.#actor.wantsReasonPrompt?.() === true ? reasonNeeded(verdict) : this.#hold(tx, saving, verdict);
  }

  /** Judges the changes of an `Unjudged` error, without the lock. @returns false for any other error */
  async judge(thrown: unknown): Promise<boolean> {
    if (!(thrown instanceof Unjudged)) return false;
    this.#passes += 1;
    if (this.#passes > MAX_JUDGEMENTS)
      throw new AppError("conflict", "The configuration changes too often to judge this change: try again.");
    const { revision, changes, reverts } = thrown;
    const { index, ...snapshot } = await currentSnapshot(revision);
    if (snapshot.revision === revision)
      this.#judged = { revision, text: textOf(changes), verdict: await verdictOn(index, changes, reverts) };
    return true;
  }

  async #hold(tx: Prisma.TransactionClient, saving: Saving, verdict: Verdict): Promise<AppError> {
    const { changes, definitions, revision, note, now } = saving;
    const rows = changes.map(({ resource, id, action }) => ({ resource, id, action }));
    const [first] = rows;
    const request = await openRequest(
      tx,
      {
        asker: { actor: this.#actor, personId: await personIdOf(this.#actor, tx) },
        reason: this.#actor.reason ?? note,
        target: `${first?.resource}/${first?.id}`,
        basis: revision,
        facts: { kind: "change", rows: rows.slice(0, MAX_NAMED_ROWS), count: rows.length, verdict },
        ...toBody(changes, definitions),
        expiresAt: new Date(now.getTime() + OPEN_DAYS * DAY_MS),
      },
      now,
    );
    return new AppError(
      "awaits_review",
      `Nothing is saved yet: a second person must approve. ${verdictInWords(verdict)}`,
      {
        extra: { request: toRequestRow(request), verdict },
      },
    );
  }
}

/** The answer to a person who wants to state a reason first. No request is opened. */
function reasonNeeded(verdict: Verdict): AppError {
  return new AppError(
    "reason_needed",
    `This change waits for a second person: send it again with the header \`Review-Reason\`. ${verdictInWords(verdict)}`,
    { extra: { verdict } },
  );
}

/**
 * The verdict on changes that would wait for a second person if they were saved now; `null` when they would not. A
 * forecast: the writer judges again.
 */
export async function foreseeReview(actor: Actor, changes: readonly AppliedChange[]): Promise<Verdict | null> {
  if (actor.kind === "system" || changes.length === 0) return null;
  const stored = new Stored(db());
  const mode = await reviewModeOf(stored);
  const now = new Date();
  if (mode === "off" || changes.every((change) => neverWaits(change, now))) return null;
  const reverts = await unconfirmedReverts(stored, db());
  const verdict = await verdictOn((await currentSnapshot()).index, changes, reverts);
  return passes(mode, verdict) ? null : verdict;
}

const passes = (mode: ReviewMode, { kind }: Verdict): boolean =>
  mode === "widening" && (kind === "same" || kind === "narrower");

async function verdictOn(
  index: Parameters<typeof judgeChanges>[0],
  changes: readonly AppliedChange[],
  reverts: readonly Reverted[],
): Promise<Verdict> {
  const reviewed = changes.map(({ resource, id, before, after, secret }) => ({
    resource,
    id,
    before,
    after,
    setsSecret: Object.keys(secret).length > 0,
  }));
  try {
    return await runInTurns(judgeWithReverts(index, reviewed, reverts, Date.now()), JUDGE_MS);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "request_timeout") throw error;
    const [{ resource, id } = { resource: "", id: "" }] = reviewed;
    return {
      kind: "unknown",
      reasons: [{ kind: "unknown", factor: OUT_OF_TIME, resource, id, field: null, tools: [], more: 0, witness: null }],
      more: 0,
    };
  }
}

const textOf = (changes: readonly AppliedChange[]): string =>
  canonicalText(changes.map(({ resource, action, id, after }) => [resource, action, id, after]) as unknown as Json);

/**
 * Erasures and dropped months only remove data. The program writes signing keys and drift. A person connects clients
 * only as agents whose owners were reviewed.
 */
const HARMLESS: ReadonlySet<string> = new Set(["erasures", "dropped-months", "token-keys", "connections", "drift"]);
/** Deleting one of these takes a credential away. */
const CREDENTIALS: ReadonlySet<string> = new Set(["secrets", "api-keys", "tokens", "webhooks", "users"]);
const DISABLING: ReadonlySet<string> = new Set(["enabled", "disabledReason"]);

/** Pausing, revoking, disabling, deleting credentials, erasure and retention never wait, whatever the mode. */
function neverWaits({ resource, action, before, after }: AppliedChange, now: Date): boolean {
  if (HARMLESS.has(resource)) return true;
  if (action === "create")
    return resource === "pauses" || resource === "revocations" || isNewDisabledCredential(resource, after);
  if (resource === "revocations") return keepsRevocation(before, after, now);
  if (action === "delete") return CREDENTIALS.has(resource) && !returnsBySignIn(resource, before);
  // Only its reason can change, because the name of a pause is its target.
  if (resource === "pauses") return true;
  const [was, is] = [valueOf(resource, before), valueOf(resource, after)];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => !isSameJson(was[field] ?? null, is[field] ?? null),
  );
  if (resource === "settings") return changed.every((field) => field === "retention");
  return is["enabled"] === false && changed.every((field) => DISABLING.has(field));
}

/** A disabled person of the OpenID provider: without the row, their next sign-in would create an enabled one. */
function returnsBySignIn(resource: string, row: object | null): boolean {
  const { issuer, enabled } = (row ?? {}) as { readonly issuer?: unknown; readonly enabled?: unknown };
  return resource === "users" && typeof issuer === "string" && enabled === false;
}

/** Whether the token stays refused: the change deletes an expired revocation, or does not shorten one. */
function keepsRevocation(before: object | null, after: object | null, now: Date): boolean {
  const until = (row: object | null) => Date.parse(String((row as { until?: string } | null)?.until));
  return after === null ? until(before) <= now.getTime() - SKEW_MS : until(after) >= until(before);
}

/** The secret of a new credential is shown only once, so the creation cannot wait. Enabling it does. */
function isNewDisabledCredential(resource: string, row: object | null): boolean {
  const { enabled, active } = (row ?? {}) as { readonly enabled?: boolean; readonly active?: boolean };
  return resource !== "secrets" && CREDENTIALS.has(resource) && (enabled === false || active === false);
}

function valueOf(resource: string, row: object | null): Readonly<Record<string, Json>> {
  return (resource === "settings" ? (row as { value?: object } | null)?.value : row) as Readonly<Record<string, Json>>;
}

/**
 * Requires that changes widen no more than approved. A verdict names only its first reasons and tools: the others are
 * compared by their number.
 *
 * @throws AppError `conflict` with the reasons that the approved verdict does not have
 */
function requireNoWider(now: Verdict, approved: Verdict): void {
  // One change may have several reasons at one place: a group that grows, for each policy that grants it.
  const approvedAt = byPlace(approved.reasons);
  const presentAt = byPlace(now.reasons);
  const ranOut = approved.reasons.some(({ factor }) => factor === OUT_OF_TIME);
  const added = now.reasons.filter((reason) => {
    const seen = approvedAt.get(keyOf(reason));
    // A judgement that ran out of time proved nothing, so only a proven widening exceeds it.
    if (ranOut) return reason.kind === "wider";
    if (seen === undefined) return true;
    const wasUnknown = seen.every(({ kind }) => kind === "unknown");
    return (wasUnknown && reason.kind === "wider") || gainsTools(presentAt.get(keyOf(reason)) ?? [], seen);
  });
  const hasMoreUnnamed = !ranOut && approved.more !== undefined && (now.more ?? 0) > approved.more;
  if (added.length === 0 && !hasMoreUnnamed) return;
  const difference: Verdict = { kind: now.kind, reasons: added.length === 0 ? now.reasons : added };
  const refusal = ranOut
    ? "The judgement ran out of time, and the change is now proven to widen access. It was not applied: make the change again."
    : "The change would now widen more than the request says, so it was not applied.";
  throw new AppError("conflict", `${refusal} ${verdictInWords(difference)}`, { extra: { verdict: difference } });
}

const keyOf = ({ factor, resource, id, field }: VerdictReason): string => JSON.stringify([factor, resource, id, field]);

function byPlace(reasons: readonly VerdictReason[]): ReadonlyMap<string, readonly VerdictReason[]> {
  const at = new Map<string, VerdictReason[]>();
  for (const reason of reasons) append(at, keyOf(reason), reason);
  return at;
}

/** Whether the reasons at one place name a tool that the approved ones do not, or have more unnamed tools. */
function gainsTools(present: readonly VerdictReason[], seen: readonly VerdictReason[]): boolean {
  const named = new Set(seen.flatMap(({ tools }) => tools));
  if (present.some(({ tools }) => tools.some((tool) => !named.has(tool)))) return true;
  return seen.every(({ more }) => more !== undefined) && unnamedIn(present) > unnamedIn(seen);
}

const unnamedIn = (reasons: readonly VerdictReason[]): number => reasons.reduce((sum, { more = 0 }) => sum + more, 0);
