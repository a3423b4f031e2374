import type { PoolConfig } from "pg";
import PgBoss from "pg-boss";
import { env } from "@/lib/env";
import { appDatabaseUrl, enterAppRole } from "@/lib/store/db/connection-role";
import type { Prisma } from "@/lib/store/generated/client";

/** The queue of async calls. */
const QUEUE = "calls";
/** Seconds after which pg-boss hands out a job again that no process has claimed. Claiming takes far less time. */
const HANDED_OUT_SECONDS = 30;
/** Jobs that one process claims per poll, twice a second. The bulkheads limit how many run. */
const BATCH = 20;
/** Timeout for a lost store, in milliseconds. Without it a worker waits as long as TCP does. */
const ANSWER_MS = 5_000;

interface Queue {
  boss: Promise<PgBoss> | null;
  worker: string | null;
  /** Whether this process claims no more jobs. */
  isLeft: boolean;
}

/** Next bundles each route separately: this keeps one queue per process. */
const shared = globalThis as typeof globalThis & { quartermasterQueue?: Queue };

const FRESH: Queue = { boss: null, worker: null, isLeft: false };

function queue(): Queue {
  return (shared.quartermasterQueue ??= { ...FRESH });
}

function started(): Promise<PgBoss> {
  const own = queue();
  own.boss ??= start().catch((error: unknown) => {
    own.boss = null;
    throw error;
  });
  return own.boss;
}

async function start(): Promise<PgBoss> {
  await install();
  const connectionString = appDatabaseUrl();
  return opened({
    connectionString,
    application_name: "quartermaster queue",
    max: 3,
    migrate: false,
    onConnect: enterAppRole,
  });
}

/** Creates or upgrades the queue's tables as their owner. Later connections use the app's role. */
async function install(): Promise<void> {
  const boss = await opened({ application_name: "quartermaster queue setup", max: 1, supervise: false });
  try {
    await boss.createQueue(QUEUE, { name: QUEUE, retryLimit: 10, expireInSeconds: HANDED_OUT_SECONDS });
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** Starts pg-boss, which passes its options to the Postgres driver unchanged. */
async function opened(options: PgBoss.ConstructorOptions & PoolConfig): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    schedule: false,
    ...options,
  } as PgBoss.ConstructorOptions);
  // An unhandled error event would end the process when the store is lost for a while. The next poll tries again.
  boss.on("error", () => {});
  return boss.start();
}

/** Starts the queue, so that a short transaction can queue a call. @throws when the store is lost */
export async function openCallQueue(): Promise<void> {
  await started();
}

/** Queues a call in the transaction that writes its rows. */
export async function enqueueCall(
  transaction: Prisma.TransactionClient,
  callId: string,
  afterSeconds = 0,
): Promise<void> {
  const boss = await started();
  const executeSql = async (text: string, values: unknown[]) => ({
    rows: await transaction.$queryRawUnsafe<unknown[]>(text, ...values),
  });
  await boss.send(QUEUE, { callId }, { db: { executeSql }, startAfter: afterSeconds });
}

/** Makes this process's worker poll now instead of at its next turn. */
export function nudgeWorker(): void {
  const { boss, worker } = queue();
  if (worker !== null) void boss?.then((open) => open.notifyWorker(worker)).catch(() => {});
}

/**
 * Starts handing queued calls to this process. `take` resolves once this or another process has claimed the call. A job
 * only announces a call and is repeated until then; the call's rows say whether it has run.
 */
export async function workCallQueue(take: (callId: string) => Promise<void>): Promise<void> {
  const boss = await started();
  const own = queue();
  own.worker ??= await boss.work<{ callId: string }>(
    QUEUE,
    { batchSize: BATCH, pollingIntervalSeconds: 0.5 },
    async (jobs) => {
      // This job was polled before the process began to end. A failed job is handed out again.
      if (own.isLeft) throw new Error("this process is about to end");
      await Promise.all(jobs.map(({ data }) => take(data.callId)));
    },
  );
}

/** Claims no more jobs, because this process is about to end. Other processes run the calls that it still accepts. */
export async function leaveCallQueue(): Promise<void> {
  const own = queue();
  own.isLeft = true;
  const { boss, worker } = own;
  if (boss !== null && worker !== null) await (await boss).offWork({ id: worker });
}

/** Closes this process's connection to the queue, at the end of a process or a test. */
export async function closeCallQueue(): Promise<void> {
  const { boss } = queue();
  shared.quartermasterQueue = { ...FRESH };
  await boss?.then((open) => open.stop({ graceful: false, wait: false })).catch(() => {});
}
