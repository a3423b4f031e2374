import { randomUUID } from "node:crypto";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { EventType } from "@/lib/resources/parts/webhook-events";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";

/** Days that events and their deliveries are kept. */
const KEPT_DAYS = 30;

/** Something that happened: ids, names and counts, nothing that a call carried (docs/reference/execution.md#events). */
export interface Announcement {
  readonly type: EventType;
  /** The page that shows it: `/admin/approvals/call_…`. */
  readonly path: `/admin/${string}`;
  /** What receivers read; snake_case, as all that leaves the house. */
  readonly data: JsonObject;
  /** The same key is announced once while it is remembered, by whichever instance; absent = each time. */
  readonly key?: string;
}

type Runner = Pick<Prisma.TransactionClient, "$executeRaw">;

/**
 * Writes an event and a delivery for each active webhook that wants it, in one statement: as part of the transaction of
 * what happened, where there is one, so that neither is there without the other.
 */
export async function announce(runner: Runner, { type, path, data, key }: Announcement): Promise<void> {
  await runner.$executeRaw`
    WITH told AS (
      INSERT INTO event (id, type, key, at, path, data)
      VALUES (${newEventId()}, ${type}, ${key ?? null}, now(), ${path}, ${JSON.stringify(data)}::jsonb)
      ON CONFLICT (key) DO NOTHING RETURNING id
    ), sent AS (
      INSERT INTO delivery (id, type, webhook, "eventId", at, "dueAt")
      SELECT 'msg_' || gen_random_uuid(), ${type}, webhook.name, told.id, now(), now()
      FROM told, webhook WHERE webhook.active AND ${type} = ANY (webhook.events) RETURNING id
    ) SELECT pg_notify('delivery', '') FROM (SELECT 1 FROM sent LIMIT 1) one`;
}

/** A new event id. */
export function newEventId(): string {
  return `evt_${randomUUID()}`;
}

/** Deletes what is older than 30 days, with its deliveries. */
export async function sweepEvents(now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString();
  await db().$executeRaw`DELETE FROM event WHERE at < ${oldest}::timestamptz`;
  await db().$executeRaw`DELETE FROM delivery WHERE at < ${oldest}::timestamptz`;
}
