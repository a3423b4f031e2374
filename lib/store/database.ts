import { PrismaPg } from "@prisma/adapter-pg";
import { env } from "@/lib/env";
import { enterAppRole } from "@/lib/store/connection-role";
import { PrismaClient } from "@/lib/store/generated/client";
import { Listener, type NoticeHandler } from "@/lib/store/listener";

/** Milliseconds until a lost store is an error: a decision fails within 2 s, never later (6-promises, Loss of the store). */
const ANSWER_MS = 1_800;
/** Milliseconds that a saved change or a load waits for a connection: other writers go first. */
const QUEUE_MS = 4_500;
/** Milliseconds for the statements of one saved change or one load of the configuration. */
const BULK_MS = 30_000;
/**
 * Milliseconds until a connection that nobody needs is closed: after a failover those of before are dead and do not say so,
 * and each would cost a request its time (6-promises, recovery within 5 s).
 */
const IDLE_MS = 4_000;

/** Statements that a pool keeps prepared at most: beyond what the code says, they differ only in how long a list is. */
const MOST_PREPARED = 256;
const UNPREPARED = "";

interface Connections {
  requests?: PrismaClient;
  bulk?: PrismaClient;
  listener?: Listener;
}

/** Next bundles each route on its own: whatever a process has one of lives on `globalThis`. */
const shared = globalThis as typeof globalThis & { quartermasterDatabase?: Connections };

function connections(): Connections {
  return (shared.quartermasterDatabase ??= {});
}

function open(max: number, waits: number, milliseconds: number): PrismaClient {
  const adapter = new PrismaPg(
    {
      connectionString: env.DATABASE_URL,
      max,
      connectionTimeoutMillis: waits,
      query_timeout: milliseconds,
      statement_timeout: milliseconds,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      application_name: "quartermaster",
      onConnect: enterAppRole,
    },
    // A connection that breaks while idle is replaced at its next use; unheard, it would end the process.
    { onPoolError: () => {}, onConnectionError: () => {}, statementNameGenerator: preparedNames() },
  );
  return new PrismaClient({ adapter, transactionOptions: { maxWait: waits, timeout: milliseconds } });
}

/**
 * Names under which the connections of a pool keep their statements prepared: Postgres reads and plans each once for a
 * connection, which costs more than most of them do.
 */
function preparedNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (!names.has(sql) && names.size < MOST_PREPARED) names.set(sql, `quartermaster_${names.size}`);
    return names.get(sql) ?? UNPREPARED;
  };
}

/** The process-wide client for requests: short statements, an error within 2 s when the store is lost. */
export function db(): PrismaClient {
  return (connections().requests ??= open(12, ANSWER_MS, ANSWER_MS));
}

/** The same database for what may take longer: saving a change, loading the whole configuration (at most 30 s). */
export function bulkDb(): PrismaClient {
  return (connections().bulk ??= open(4, QUEUE_MS, BULK_MS));
}

/** Closes every connection of the process; the next use opens new ones. For the end of a process or a test. */
export async function closeDatabase(): Promise<void> {
  const { requests, bulk, listener } = connections();
  shared.quartermasterDatabase = {};
  await Promise.all([requests?.$disconnect(), bulk?.$disconnect(), listener?.close()]);
}

/**
 * Hears Postgres notices on a channel for the life of the process. After a reconnect the handler is
 * called with `null`: notices may have been missed. Returns what stops it.
 */
export function listen(channel: string, handler: NoticeHandler): () => void {
  return (connections().listener ??= new Listener(env.DATABASE_URL)).add(channel, handler);
}
