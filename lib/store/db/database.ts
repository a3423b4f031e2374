import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, types, type CustomTypesConfig } from "pg";
import { appDatabaseUrl, enterAppRole } from "@/lib/store/db/connection-role";
import { PrismaClient, type Prisma } from "@/lib/store/generated/client";
import { Listener, type NoticeHandler } from "@/lib/store/db/listener";

/** Milliseconds until a lost store is an error: a decision fails within 2 s, never later (docs/reference/promises.md#loss-of-the-store). */
const ANSWER_MS = 1_800;
/** Milliseconds by which the database gives a statement up before we give the database up: what is slow is not lost. */
const SAID_EARLIER_MS = 200;
/**
 * Milliseconds that a page of a person waits for a connection, and for a statement. On a busy machine several connections
 * that open together, or a long task of the process itself, take longer than a decision may.
 */
const PAGE_QUEUE_MS = 10_000;
const PAGE_ANSWER_MS = 6_000;
/** Milliseconds that a saved change or a load waits for a connection: other writers go first. */
const QUEUE_MS = 4_500;
/** Milliseconds for the statements of one saved change or one load of the configuration. */
const BULK_MS = 30_000;
/**
 * Milliseconds until a connection that nobody needs is closed: after a failover those of before are dead and do not say so,
 * and each would cost a request its time (docs/reference/promises.md#loss-of-the-store).
 */
const IDLE_MS = 4_000;

/** Statements that a pool keeps prepared at most: beyond what the code says, they differ only in how long a list is. */
const MOST_PREPARED = 256;
const UNPREPARED = "";

/** One pool, and Prisma upon it. */
interface Opened {
  readonly client: PrismaClient;
  readonly pool: Pool;
  readonly nameOf: (query: { readonly sql: string }) => string;
}

interface Connections {
  requests?: Opened;
  pages?: Opened;
  bulk?: Opened;
  log?: Pool;
  listener?: Listener;
}

/** Next bundles each route on its own: whatever a process has one of lives on `globalThis`. */
const shared = globalThis as typeof globalThis & { quartermasterDatabase?: Connections };

function connections(): Connections {
  return (shared.quartermasterDatabase ??= {});
}

function open(max: number, waits: number, milliseconds: number): Opened {
  const pool = new Pool({
    connectionString: appDatabaseUrl(),
    max,
    connectionTimeoutMillis: waits,
    query_timeout: milliseconds,
    statement_timeout: milliseconds - SAID_EARLIER_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: "quartermaster",
    onConnect: enterAppRole,
  });
  const nameOf = preparedNames();
  // A connection that breaks while idle is replaced at its next use; unheard, it would end the process.
  pool.on("error", () => {});
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: waits, timeout: milliseconds } });
  return { client, pool, nameOf };
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

/** Set while a page of a person is read. */
const readsPage = new AsyncLocalStorage<boolean>();

/**
 * Runs what a page of a person reads, on connections of its own that wait longer: no decision depends on it, and a busy
 * machine must not turn a page of counts into a 503.
 */
export function forPage<T>(read: () => Promise<T>): Promise<T> {
  return readsPage.run(true, read);
}

/** Runs what a page shares with decisions, such as the look for a newer configuration, with the time that a decision has. */
export function forDecision<T>(read: () => Promise<T>): Promise<T> {
  return readsPage.run(false, read);
}

/** The process-wide client for requests: short statements, an error within 2 s when the store is lost (a page: later). */
export function db(): PrismaClient {
  return forRequests().client;
}

function forRequests(): Opened {
  if (readsPage.getStore() === true) return (connections().pages ??= open(4, PAGE_QUEUE_MS, PAGE_ANSWER_MS));
  return (connections().requests ??= open(12, ANSWER_MS, ANSWER_MS));
}

/**
 * The rows of one statement over the connections of `db()`, past Prisma's engine, which takes twice as long for it as
 * Postgres's driver: for what each call of a tool does. Values and columns are as `pg` has them.
 */
export async function rowsOf<T extends object>({ text, values }: Pick<Prisma.Sql, "text" | "values">): Promise<T[]> {
  const { pool, nameOf } = forRequests();
  const answer = await pool.query<T>({ name: nameOf({ sql: text }), text, values });
  return takeRows(answer);
}

/** The rows of one statement that may read far in the log: as `rowsOf`, with the time that `logPool` has. */
export async function logRowsOf<T extends object>({ text, values }: Pick<Prisma.Sql, "text" | "values">): Promise<T[]> {
  return takeRows(await logPool().query<T>(text, values));
}

/**
 * The rows of an answer, which has none from then on. The driver's query, which has the answer, outlives it: what is in it
 * lasts until the next full collection, and of a log that is read page by page that would be a hundred megabytes of pages.
 */
export function takeRows<T>(answer: { readonly rows: T[] }): T[] {
  return answer.rows.splice(0);
}

/** The same database for what may take longer: saving a change, loading the whole configuration (at most 30 s). */
export function bulkDb(): PrismaClient {
  return (connections().bulk ??= open(4, QUEUE_MS, BULK_MS)).client;
}

const { JSONB } = types.builtins;
/** JSON as the text that Postgres has of it: parsed, a number beyond 53 bits would pass for another. */
const EXACT: CustomTypesConfig = {
  getTypeParser: (id, format) => (id === JSONB ? String : types.getTypeParser(id, format)),
};

/** The same database for whoever reads or seals the log by the million: 30 s a statement. */
export function logPool(): Pool {
  const { log } = connections();
  if (log !== undefined) return log;
  const opened = new Pool({
    connectionString: appDatabaseUrl(),
    max: 2,
    connectionTimeoutMillis: QUEUE_MS,
    query_timeout: BULK_MS,
    statement_timeout: BULK_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    application_name: "quartermaster log",
    onConnect: enterAppRole,
    types: EXACT,
  });
  opened.on("error", () => {});
  connections().log = opened;
  return opened;
}

/** Closes every connection of the process; the next use opens new ones. For the end of a process or a test. */
export async function closeDatabase(): Promise<void> {
  const { requests, pages, bulk, log, listener } = connections();
  shared.quartermasterDatabase = {};
  const ended = [requests, pages, bulk].map(async (opened) => {
    await opened?.client.$disconnect();
    await opened?.pool.end();
  });
  await Promise.all([...ended, log?.end(), listener?.close()]);
}

/**
 * Hears Postgres notices on a channel for the life of the process. After a reconnect the handler is
 * called with `null`: notices may have been missed. Returns what stops it.
 */
export function listen(channel: string, handler: NoticeHandler): () => void {
  return (connections().listener ??= new Listener(appDatabaseUrl())).add(channel, handler);
}
