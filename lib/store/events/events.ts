import { randomUUID } from "node:crypto";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { EventType } from "@/lib/resources/parts/webhook-events";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** Days for which events and their deliveries are kept. */
const RETENTION_DAYS = 30;

/** An event: ids, names and counts, without arguments or results of a call (docs/reference/execution.md#events). */
interface Announcement {
  readonly type: EventType;
  /** The page about it: `/admin/approvals/call_…`. */
  readonly path: `/admin/${string}`;
  /** The data for receivers, in snake_case like all outbound data. */
  readonly data: JsonObject;
  /** While a key is remembered, any instance announces it only once. Absent = always. */
  readonly key?: string;
}

type Runner = Pick<Prisma.TransactionClient, "$executeRaw">;

/**
 * Writes an event and a delivery for each active webhook that subscribes to it, in one statement. Runs in the caller's
 * transaction if there is one, so that both commit together.
 */
export async function announce(runner: Runner, { type, path, data, key }: Announcement): Promise<void> {
  await runner.$executeRaw`
    WITH added AS (
      INSERT INTO event (id, type, key, at, path, data)
      VALUES (${newEventId()}, ${type}, ${key ?? null}, now(), ${path}, ${JSON.stringify(data)}::jsonb)
      ON CONFLICT (key) DO NOTHING RETURNING id
    ), sent AS (
      INSERT INTO delivery (id, type, webhook, "eventId", at, "dueAt")
      SELECT 'msg_' || gen_random_uuid(), ${type}, webhook.name, added.id, now(), now()
      FROM added, webhook WHERE webhook.active AND ${type} = ANY (webhook.events) RETURNING id
    ) SELECT pg_notify('delivery', '') FROM (SELECT 1 FROM sent LIMIT 1) one`;
}

/** A new event id. */
export function newEventId(): string {
  return `evt_${randomUUID()}`;
}

/** Deletes what is older than 30 days, with its deliveries. */
export async function sweepEvents(now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - RETENTION_DAYS * 86_400_000).toISOString();
  await db().$executeRaw`DELETE FROM event WHERE at < ${oldest}::timestamptz`;
  await db().$executeRaw`DELETE FROM delivery WHERE at < ${oldest}::timestamptz`;
}
