import { AsyncLocalStorage } from "node:async_hooks";
import { PrismaPg } from "@prisma/adapter-pg";
import { Pool, types, type CustomTypesConfig, type PoolConfig } from "pg";
import { env } from "@/lib/env";
import { singleton } from "@/lib/process/singleton";
import { appDatabaseUrl, enterAppRole } from "@/lib/store/db/connection-role";
import { PrismaClient, type Prisma } from "@/lib/store/generated/client";
import { Listener, type NoticeHandler } from "@/lib/store/db/listener";
import { translateErrors } from "@/lib/store/db/translate";

/** Timeout of a request's statement: a decision fails within 2 s of losing the store (docs/reference/promises.md#loss-of-the-store). */
const ANSWER_MS = 1_800;
/** The database cancels a statement this much before the client times out, so that a slow statement does not look like a lost store. */
const CANCEL_EARLIER_MS = 200;
/**
 * Milliseconds that a person's request waits for a connection, and for a statement. On a busy machine, many connections that
 * open at once or a long task of the process take longer than a decision may.
 */
const PERSON_QUEUE_MS = 10_000;
const PERSON_ANSWER_MS = 6_000;
/** Milliseconds that a saved change or a load waits for a connection, because other writers may be ahead of it. */
const QUEUE_MS = 4_500;
/** Milliseconds for the statements of one saved change or one load of the configuration. */
const BULK_MS = 30_000;
/**
 * Milliseconds until an idle connection is closed. After a failover, old connections are dead without an error, and each
 * would delay a request (docs/reference/promises.md#loss-of-the-store).
 */
const IDLE_MS = 4_000;

/** Most prepared statements of a pool. Beyond the statements in the code, others differ only in the length of a list. */
const MAX_PREPARED = 256;
const UNPREPARED = "";

/** A connection pool and its Prisma client. */
interface Opened {
  readonly client: PrismaClient;
  readonly pool: Pool;
  readonly nameOf: (query: { readonly sql: string }) => string;
}

interface Connections {
  requests?: Opened;
  people?: Opened;
  bulk?: Opened;
  log?: Pool;
  listener?: Listener;
}

const connections = singleton<Connections>("Database", () => ({}));

/** Opens a pool. A connection that breaks fails the statement that uses it, now or next, and is replaced. */
function openPool(config: PoolConfig): Pool {
  const pool = new Pool({
    connectionString: appDatabaseUrl(),
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    onConnect: enterAppRole,
    ...config,
  });
  // Without listeners, the error event would count as an uncaught exception: of an idle connection, and of one in use.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

function open(max: number, waits: number, milliseconds: number): Opened {
  const pool = openPool({
    max,
    connectionTimeoutMillis: waits,
    query_timeout: milliseconds,
    statement_timeout: milliseconds - CANCEL_EARLIER_MS,
    application_name: "quartermaster",
  });
  const nameOf = preparedNames();
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameOf });
  const client = new PrismaClient({ adapter, transactionOptions: { maxWait: waits, timeout: milliseconds } });
  return { client: withTranslatedErrors(client), pool, nameOf };
}

/** Makes a client throw `AppError`s, so that no caller has to know Prisma's codes. */
function withTranslatedErrors(client: PrismaClient): PrismaClient {
  const statements = client.$extends({
    query: { $allOperations: ({ args, query }) => translateErrors(() => query(args)) },
  }) as unknown as PrismaClient;
  // A transaction can also fail outside its statements: when it begins, when it commits, and at its time limit.
  const $transaction = (...given: Parameters<PrismaClient["$transaction"]>) =>
    translateErrors(() => statements.$transaction(...given));
  return statements.$extends({ client: { $transaction } }) as unknown as PrismaClient;
}

/**
 * Names statements so that connections keep them prepared. Postgres then parses and plans each statement once per
 * connection, which costs more than running most of them.
 */
function preparedNames(): (query: { readonly sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    if (!names.has(sql) && names.size < MAX_PREPARED) names.set(sql, `quartermaster_${names.size}`);
    return names.get(sql) ?? UNPREPARED;
  };
}

/** Whether the present work answers a person. */
const answersPerson = new AsyncLocalStorage<boolean>();

/**
 * Runs the work of a person's request, such as a page, a save or a sign-in, on separate connections that wait longer. No
 * agent waits for it, and a busy machine must not turn a page of counts or a save into a 503.
 */
export function forPerson<T>(work: () => Promise<T>): Promise<T> {
  return answersPerson.run(true, work);
}

/**
 * Runs work that people share with decisions, such as the check for a newer configuration, with a decision's timeout.
 * Enters a context only within a person's: from the first context on, Node 20 and 22 track every promise of the process.
 */
export function forDecision<T>(read: () => Promise<T>): Promise<T> {
  return answersPerson.getStore() === true ? answersPerson.run(false, read) : read();
}

/** The process-wide client for requests: short statements, an error within 2 s when the store is lost (a person: later). */
export function db(): PrismaClient {
  return forRequests().client;
}

function forRequests(): Opened {
  if (answersPerson.getStore() === true) return (connections().people ??= open(4, PERSON_QUEUE_MS, PERSON_ANSWER_MS));
  return (connections().requests ??= open(12, ANSWER_MS, ANSWER_MS));
}

/**
 * Runs one statement on the connections of `db()` without Prisma's engine, which takes twice as long as the driver. Used
 * for each tool call. Values and columns have the types of `pg`.
 */
export async function rowsOf<T extends object>({ text, values }: Pick<Prisma.Sql, "text" | "values">): Promise<T[]> {
  const { pool, nameOf } = forRequests();
  return drainRows(await translateErrors(() => pool.query<T>({ name: nameOf({ sql: text }), text, values })));
}

/** Like `rowsOf`, for a statement that may read much of the log: with the timeout of `logPool`. */
export async function logRowsOf<T extends object>({ text, values }: Pick<Prisma.Sql, "text" | "values">): Promise<T[]> {
  return drainRows(await translateErrors(() => logPool().query<T>(text, values)));
}

/**
 * Takes the rows out of an answer and leaves it empty. The driver keeps the answer until the next full garbage collection;
 * reading a log page by page would keep a hundred megabytes of pages.
 */
export function drainRows<T>(answer: { readonly rows: T[] }): T[] {
  return answer.rows.splice(0);
}

/**
 * The client for long work: saving a change and loading the whole configuration (at most 30 s). Behind a gateway, this
 * process works for people alone, so it waits for a connection as long as they do.
 */
export function bulkDb(): PrismaClient {
  const waits = env.GATEWAY_SECRET === undefined ? QUEUE_MS : PERSON_QUEUE_MS;
  return (connections().bulk ??= open(4, waits, BULK_MS)).client;
}

const { JSONB } = types.builtins;
/** Returns JSON as Postgres's text. Parsing would change numbers beyond 53 bits. */
const EXACT: CustomTypesConfig = {
  getTypeParser: (id, format) => (id === JSONB ? String : types.getTypeParser(id, format)),
};

/** The pool for reading or sealing millions of log rows: 30 s per statement. */
export function logPool(): Pool {
  const { log } = connections();
  if (log !== undefined) return log;
  const opened = openPool({
    max: 2,
    connectionTimeoutMillis: QUEUE_MS,
    query_timeout: BULK_MS,
    statement_timeout: BULK_MS,
    application_name: "quartermaster log",
    types: EXACT,
  });
  connections().log = opened;
  return opened;
}

/** Closes every connection of the process; the next use opens new ones. For the end of a process or a test. */
export async function closeDatabase(): Promise<void> {
  const { requests, people, bulk, log, listener } = connections();
  connections.clear();
  const ended = [requests, people, bulk].map(async (opened) => {
    await opened?.client.$disconnect();
    await opened?.pool.end();
  });
  await Promise.all([...ended, log?.end(), listener?.close()]);
}

/**
 * Subscribes to Postgres notices on a channel for the life of the process. After a reconnect it calls the handler with
 * `null`, because notices may have been lost. Returns the function that unsubscribes.
 */
export function listen(channel: string, handler: NoticeHandler): () => void {
  return (connections().listener ??= new Listener(appDatabaseUrl())).add(channel, handler);
}
