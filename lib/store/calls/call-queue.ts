import type { PoolConfig } from "pg";
import PgBoss from "pg-boss";
import { env } from "@/lib/env";
import { appDatabaseUrl, enterAppRole } from "@/lib/store/db/connection-role";
import type { Prisma } from "@/lib/store/generated/client";

/** The queue of calls that are answered later. */
const QUEUE = "calls";
/** Seconds after which a job that was handed out, but not taken on, is handed out again: taking one on takes no time. */
const HANDED_OUT_SECONDS = 30;
/** Jobs that one process takes on at a time, twice a second; the bulkheads bound what runs. */
const BATCH = 20;
/** Milliseconds until a lost store is an error: unanswered, a worker would wait for as long as TCP does. */
const ANSWER_MS = 5_000;

interface Queue {
  boss: Promise<PgBoss> | null;
  worker: string | null;
  /** Whether this process takes nothing more on. */
  isLeft: boolean;
}

/** Next bundles each route on its own: one queue per process. */
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

/** Makes the queue's tables, or those of a newer version of it, as their owner: from then on nobody needs to be that. */
async function install(): Promise<void> {
  const boss = await opened({ application_name: "quartermaster queue setup", max: 1, supervise: false });
  try {
    await boss.createQueue(QUEUE, { name: QUEUE, retryLimit: 10, expireInSeconds: HANDED_OUT_SECONDS });
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The queue hands its options to the driver as they are. */
async function opened(options: PgBoss.ConstructorOptions & PoolConfig): Promise<PgBoss> {
  const boss = new PgBoss({
    connectionString: env.DATABASE_URL,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
    schedule: false,
    ...options,
  } as PgBoss.ConstructorOptions);
  // Unheard, a store that is lost for a while would end the process; the next poll tries again.
  boss.on("error", () => {});
  return boss.start();
}

/** Makes the queue ready, so that a call can be queued in a short transaction. @throws when the store is lost */
export async function openCallQueue(): Promise<void> {
  await started();
}

/** Queues a call, in the transaction that writes its rows. */
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

/** Lets this process's own worker look at once instead of at its next turn. */
export function nudgeWorker(): void {
  const { boss, worker } = queue();
  if (worker !== null) void boss?.then((open) => open.notifyWorker(worker)).catch(() => {});
}

/**
 * Hands queued calls to this process, from now on. `take` resolves once the call is taken on, by this process or another:
 * a job is only the news that there is a call, and is told again until then; whether it has run is in its rows.
 */
export async function workCallQueue(take: (callId: string) => Promise<void>): Promise<void> {
  const boss = await started();
  const own = queue();
  own.worker ??= await boss.work<{ callId: string }>(
    QUEUE,
    { batchSize: BATCH, pollingIntervalSeconds: 0.5 },
    async (jobs) => {
      // Asked for before, and handed out too late: as a job that failed it is handed out again.
      if (own.isLeft) throw new Error("this process is about to end");
      await Promise.all(jobs.map(({ data }) => take(data.callId)));
    },
  );
}

/** Takes nothing more on, for a process that is about to end; what it accepts is another's to run. */
export async function leaveCallQueue(): Promise<void> {
  const own = queue();
  own.isLeft = true;
  const { boss, worker } = own;
  if (boss !== null && worker !== null) await (await boss).offWork({ id: worker });
}

/** Ends the queue's part of this process, for the end of a process or a test. */
export async function closeCallQueue(): Promise<void> {
  const { boss } = queue();
  shared.quartermasterQueue = { ...FRESH };
  await boss?.then((open) => open.stop({ graceful: false, wait: false })).catch(() => {});
}
