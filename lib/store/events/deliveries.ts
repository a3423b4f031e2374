import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/errors";
import type { DeliveryAttempt, DeliveryDetail, DeliveryRow } from "@/lib/contracts/agents/delivery";
import { DELIVERY_STATUSES } from "@/lib/resources/parts/words";
import type { ListQuery, Page } from "@/lib/contracts/changes/list";
import { open, seal } from "@/lib/store/keys/cipher";
import { db } from "@/lib/store/db/database";
import { newEventId } from "@/lib/store/events/events";
import { text, word } from "@/lib/store/db/filters";
import type { Prisma } from "@/lib/store/generated/client";
import { readPage } from "@/lib/store/db/page";
import type { Model } from "@/lib/store/config/tables";
import { webhooks } from "@/lib/store/config/webhooks";

/** The message type of a callback, which reports a call's end. */
const CALL_ENDED = "call.ended";
/** The message type of a webhook test. */
const TEST = "webhook.test";

/** Milliseconds after which an unfinished try counts as lost, and another process tries again. */
const LEASE_MS = 60_000;

type Stored = NonNullable<Awaited<ReturnType<ReturnType<typeof db>["delivery"]["findUnique"]>>>;

/** A delivery that this process has claimed. */
export interface DueDelivery {
  readonly id: string;
  /** Includes the present try. */
  readonly tries: number;
  /** The time until which this process holds the delivery. With `tries`, it tells this try from one after a new start. */
  readonly dueAt: Date;
  readonly webhook: string | null;
  readonly eventId: string | null;
  readonly callId: string | null;
  readonly sealed: string | null;
}

/**
 * Claims up to `most` due deliveries for this process. A claimed row is due again a minute later, in case the process
 * dies. A callback is due after its call has ended.
 */
export async function claimDeliveries(now: Date, most: number): Promise<DueDelivery[]> {
  const until = new Date(now.getTime() + LEASE_MS).toISOString();
  return db().$queryRaw<DueDelivery[]>`
    UPDATE delivery SET "dueAt" = ${until}::timestamptz, tries = tries + 1 WHERE id IN (
      SELECT delivery.id FROM delivery
      LEFT JOIN kept_call open ON open."callId" = delivery."callId" AND open.status <> 'ended'
      WHERE delivery.status = 'pending' AND delivery."dueAt" <= ${now.toISOString()}::timestamptz AND open."callId" IS NULL
      ORDER BY delivery."dueAt" LIMIT ${most} FOR UPDATE OF delivery SKIP LOCKED
    ) RETURNING id, tries, "dueAt", webhook, "eventId", "callId", sealed`;
}

/** The state of a delivery after a try, or when no try is made. */
export interface Verdict {
  readonly status: DeliveryRow["status"];
  /** Time of the next try; `null` unless pending. */
  readonly dueAt: Date | null;
  readonly note: string | null;
}

/** The result of one try. */
export type Attempt = Omit<DeliveryAttempt, "at"> & { readonly at: Date };

/** Stores a try, if there was one, and the delivery's new state. Ignores the state of an outdated try. */
export async function settleDelivery(
  { id, tries, dueAt: heldUntil }: Pick<DueDelivery, "id" | "tries" | "dueAt">,
  { status, dueAt, note }: Verdict,
  attempt: Attempt | null,
): Promise<void> {
  const { at, ms, ...result } = attempt ?? { at: null, ms: null, status: null, error: null, answer: null };
  await db().$executeRaw`
    WITH tried AS (
      INSERT INTO delivery_attempt ("deliveryId", at, ms, status, error, answer)
      SELECT id, ${at?.toISOString() ?? null}::timestamptz, ${ms}::float8, ${result.status}::int, ${result.error}, ${result.answer}
      FROM delivery WHERE id = ${id} AND ${attempt !== null}::boolean
    ) UPDATE delivery SET status = ${status}, "dueAt" = ${dueAt?.toISOString() ?? null}::timestamptz, note = ${note}
      WHERE id = ${id} AND tries = ${tries}::int AND status = 'pending'
        AND "dueAt" = ${heldUntil.toISOString()}::timestamptz`;
}

/** The address of a callback, and the caller that requested it. */
export interface CallbackTarget {
  readonly url: string;
  /** JSON text: the caller when it made the call. */
  readonly caller: string;
}

/** Adds a callback for the end of a call, in the transaction that accepts the call. */
export async function addCallback(
  transaction: Prisma.TransactionClient,
  callId: string,
  target: CallbackTarget,
  at: Date,
): Promise<void> {
  const id = newDeliveryId();
  const sealed = seal("callback", JSON.stringify(target), id);
  const origin = new URL(target.url).origin;
  await transaction.delivery.create({ data: { id, type: CALL_ENDED, callId, origin, sealed, at, dueAt: at } });
}

/** Opens the target of a callback; `null` when no present master key opens it. */
export function openCallbackTarget({ id, sealed }: Pick<DueDelivery, "id" | "sealed">): CallbackTarget | null {
  const target = sealed === null ? null : open("callback", sealed, id);
  return target === null ? null : (JSON.parse(target) as CallbackTarget);
}

/** The event of a delivery, or `null`. */
export async function findEvent(id: string) {
  return db().event.findUnique({ where: { id } });
}

/**
 * The log of deliveries, newest first.
 *
 * @throws AppError `invalid_request` for an unknown filter, sort or cursor; `config_unavailable`
 */
export async function listDeliveries(query: ListQuery): Promise<Page<DeliveryRow>> {
  const listing = {
    of: "deliveries",
    id: "id",
    search: ["id", "webhook", "origin", "callId", "eventId"],
    sort: { at: "time" },
    filters: {
      status: word("status", DELIVERY_STATUSES),
      webhook: text("webhook"),
      type: text("type"),
      call: text("callId"),
    },
  } as const;
  const page = await readPage(db().delivery as unknown as Model, listing, { ...query, sort: query.sort ?? "-at" });
  return { ...page, items: page.items.map((row) => toRow(row as unknown as Stored)) };
}

/** One delivery with its tries, latest first. @throws AppError `not_found` */
export async function readDelivery(id: string): Promise<DeliveryDetail> {
  const stored = await db().delivery.findUnique({
    where: { id },
    include: { attempts: { orderBy: { id: "desc" }, take: 100 } },
  });
  if (stored === null) throw notFound(id);
  const attempts = stored.attempts.map(({ at, status, ms, error, answer }) => ({
    at: at.toISOString(),
    status,
    ms,
    error,
    answer,
  }));
  return { ...toRow(stored), attempts };
}

/**
 * Starts a delivery again under its old id, by which a receiver recognizes a message that it already has.
 *
 * @throws AppError `not_found`; `conflict` for a webhook that is off, and for a call that has not ended
 */
export async function redeliver(id: string, now = new Date()): Promise<DeliveryDetail> {
  const { webhook, callId } = await readDelivery(id);
  if (webhook !== null) await requireActive(webhook);
  const isOpen = callId !== null && (await db().keptCall.count({ where: { callId, status: { not: "ended" } } })) > 0;
  if (isOpen) throw new AppError("conflict", "The call has not ended, so there is no result to deliver yet.");
  const data = { status: "pending", tries: 0, dueAt: now, note: null };
  await db().delivery.updateMany({ where: { id }, data });
  await nudge();
  return readDelivery(id);
}

/** Sends a test message to a webhook. @throws AppError `not_found`; `conflict` for a webhook that is off */
export async function sendTest(webhook: string, now = new Date()): Promise<DeliveryDetail> {
  await requireActive(webhook);
  const [id, eventId] = [newDeliveryId(), newEventId()];
  const path = `/admin/webhooks/${encodeURIComponent(webhook)}`;
  await db().$transaction([
    db().event.create({ data: { id: eventId, type: TEST, at: now, path, data: { webhook } } }),
    db().delivery.create({ data: { id, type: TEST, webhook, eventId, at: now, dueAt: now } }),
  ]);
  await nudge();
  return readDelivery(id);
}

async function requireActive(name: string): Promise<void> {
  const { active } = await webhooks.get(name);
  if (!active) throw new AppError("conflict", `The webhook \`${name}\` is off: turn it on first.`);
}

async function nudge(): Promise<void> {
  await db().$executeRaw`SELECT pg_notify('delivery', '')`;
}

function newDeliveryId(): string {
  return `msg_${randomUUID()}`;
}

function notFound(id: string): AppError {
  return new AppError("not_found", `There is no delivery \`${id}\`.`);
}

function toRow(stored: Stored): DeliveryRow {
  const { id, type, webhook, eventId, callId, origin, tries, at, dueAt, note } = stored;
  const status = DELIVERY_STATUSES.find((known) => known === stored.status);
  if (status === undefined) throw new AppError("config_unavailable", "A stored delivery cannot be read.");
  const times = { at: at.toISOString(), dueAt: dueAt?.toISOString() ?? null };
  return { id, type, webhook, eventId, callId, origin, status, tries, ...times, note };
}
