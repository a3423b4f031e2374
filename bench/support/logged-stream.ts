import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { toStoredBody } from "@/lib/audit/record/body";
import { stopJobs } from "@/lib/jobs/runner";
import { writeIntent, writeOutcome } from "@/lib/store/log/executions-log";
import type { Preconditions } from "@/lib/store/log/executions-rows";
import { startSealing } from "@/test/support/jobs/seal-log";
import { logSession } from "@/lib/store/db/log-session";
import { readLastSeal, readUnsealed } from "@/lib/store/audit/seals";

/** Calls in flight. */
const IN_FLIGHT = 64;
/** Milliseconds between two measurements of unsealed rows. */
const POLL_MS = 100;
/** Preconditions of a database without a configuration. */
const BASIS: Preconditions = { revision: 0, key: null, session: null, labels: null };

/** Results of a stream of calls. */
export interface LoggedStream {
  /** Calls a second, each with an intent, an outcome and two bodies. */
  readonly callsPerSecond: number;
  /** The age in milliseconds of the oldest unsealed row at each measurement, until all are sealed. */
  readonly waits: readonly number[];
}

/** Logs calls as the pipeline does, as fast as possible, while the log is sealed as in a server. */
export async function logStream(calls: number): Promise<LoggedStream> {
  startSealing();
  const waits: number[] = [];
  const start = performance.now();
  let left = calls;
  const caller = async () => {
    while (left-- > 0) await logCall(left);
  };
  const logged = Promise.all(Array.from({ length: IN_FLIGHT }, caller)).then(() => performance.now() - start);
  const isLogged = logged.then(() => true);
  for (let all = false; !all;) {
    const written = await Promise.race([isLogged, delay(POLL_MS, false)]);
    const { count, oldest } = await logSession("read", async (ask) => readUnsealed(ask, await readLastSeal(ask)));
    waits.push(oldest === null ? 0 : Date.now() - oldest.getTime());
    all = written && count === 0;
    if (written) await delay(POLL_MS);
  }
  await stopJobs();
  return { callsPerSecond: (1_000 * calls) / (await logged), waits };
}

async function logCall(n: number): Promise<void> {
  const callId = `call_${randomUUID()}`;
  const began = new Date();
  const bot = `bot-${n % 50}`;
  const tool = `shop:op${n % 300}`;
  const made = await writeIntent(
    {
      callId,
      instance: "bench",
      requestId: `r${n}`,
      at: began,
      door: "rest",
      issuer: "quartermaster",
      subject: bot,
      agent: bot,
      client: null,
      claims: { digest: bot, ciphertext: bot },
      toolId: tool,
      source: "shop",
      asked: tool,
      definitionHash: tool,
      policies: ["staff"],
      groups: ["orders", "menu"],
      revision: BASIS.revision,
      session: null,
      stateBefore: null,
      mode: "full",
      request: { group: ["*"], state: null, machine: null, profiles: ["main"] },
      arguments: await toStoredBody({ order_id: "O-5001" }, []),
      argumentsDigest: `digest ${n}`,
      parent: null,
      traceId: null,
    },
    BASIS,
  );
  if (!made.written) throw new Error(`an intent was not written: ${JSON.stringify(made)}`);
  const outcome = {
    callId,
    callAt: began,
    at: new Date(),
    status: "succeeded",
    code: null,
    reason: "granted",
    error: null,
    stateAfter: null,
    attempts: 1,
    gatewayMs: 1.25,
    upstreamMs: 18.5,
    empty: false,
    result: await toStoredBody({ order: "O-5001", lines: ["x".repeat(200)] }, []),
  } as const;
  await writeOutcome(outcome, null);
}
