import { createHash } from "node:crypto";
import { Client } from "pg";
import { runLogTask, type LogTask } from "@/bench/support/run-log-task";
import { percentile, report } from "@/bench/support/measure";
import { measuredDatabase } from "@/bench/support/servers/measured-database";

// Measures how many calls can be logged, and how long their rows wait for a seal. Then, on a log of a million rows (half
// intents, half outcomes, each with a body), measures time and memory of sealing, verifying and exporting, each
// in a separate process (docs/reference/promises.md#log).

const CALLS = Number(process.env["AUDIT_CALLS"] ?? 500_000);
/** Calls that are logged one by one, as the call pipeline does. */
const STREAMED = 20_000;
const ALL = CALLS + STREAMED;
/** Calls in one transaction while the log is filled. */
const AT_ONCE = 500;

const database = await measuredDatabase();
try {
  // Imported after the environment is set.
  const [{ logStream }, { LOG_FORMATS }, { sealSettled }, { closeDatabase }] = await Promise.all([
    import("@/bench/support/logged-stream"),
    import("@/lib/contracts/log/execution-export"),
    import("@/lib/audit/seal/sealer"),
    import("@/lib/store/db/database"),
  ]);
  const { callsPerSecond, waits } = await logStream(STREAMED);
  report("calls logged a second: intent, outcome and both bodies, sealed meanwhile", callsPerSecond, {
    atLeast: 1_000,
  });
  report("row's wait for a seal under that load, p50", percentile(waits, 50), { atMost: 5_000 }, " ms");
  report("row's wait for a seal under that load, p99", percentile(waits, 99), { atMost: 5_000 }, " ms");
  report("row's wait for a seal under that load, longest", Math.max(...waits), { atMost: 5_000 }, " ms");
  await fill();
  const start = performance.now();
  await sealSettled();
  const sealing = (performance.now() - start) / 1_000;
  report("rows sealed a second, one sealer", (2 * CALLS) / sealing, { atLeast: 2_000 });
  await closeDatabase();
  const verified = await worked("verify", 2 * ALL);
  report(`verification of ${2 * ALL} rows and their bodies`, verified.seconds, { atMost: 15 }, " s");
  report("most memory of that process", verified.resident, { atMost: 300 }, " MB");
  for (const format of LOG_FORMATS) {
    const { seconds, resident } = await worked(format, ALL);
    report(`most memory of an export of ${ALL} calls as ${format}`, resident, { atMost: 300 }, " MB");
    report(`rows exported a second as ${format}`, ALL / seconds, { atLeast: 20_000 });
  }
} finally {
  await database.stop();
}

/** Does a piece of work in a separate process. @throws when it did not cover all rows */
async function worked(kind: LogTask, all: number) {
  const done = await runLogTask(kind);
  if (done.count !== all) throw new Error(`${kind}: ${done.count} of ${all}`);
  const { processor, heap, resident, text } = done;
  const textSize = text === 0 ? "" : `, ${text.toFixed(0)} MB of text`;
  console.log(
    `        ${kind}: ${processor.toFixed(1)} s of processor, heap ${heap.toFixed(0)} of ${resident.toFixed(0)} MB${textSize}`,
  );
  return done;
}

/** Fills the log with calls of the last days as the app writes them, with bodies and commitments. Made in Postgres, which is faster. */
async function fill(): Promise<void> {
  const client = new Client({ connectionString: process.env["DATABASE_URL"] });
  await client.connect();
  const { commitmentOf } = await import("@/lib/store/log/executions-rows");
  const key = new Uint8Array(createHash("sha256").update("bench").digest());
  const [argumentsText, resultText] = ['{"order_id":"O-5001"}', `{"order":"O-5001","lines":["${"x".repeat(200)}"]}`];
  const bodies = [argumentsText, resultText].map((text) => commitmentOf({ text, digest: "d", cut: null }, key));
  for (let start = 0; start < CALLS; start += AT_ONCE)
    await client.query(
      `with made as (
         select 'call_' || gen_random_uuid() as id, date_trunc('milliseconds', now() - random() * interval '10 days') as at, n
         from generate_series($1::int, $2::int) n
       ), intent as (
         insert into execution ("callId", instance, "requestId", at, door, issuer, subject, agent, "claimsDigest", "toolId", source,
           asked, "definitionHash", policies, groups, revision, mode, request, "argumentsDigest", "argumentsCommitment")
         select id, 'bench', 'r' || n, at, 'rest', 'quartermaster', 'bot-' || n % 50, 'bot-' || n % 50, md5(n % 50 || ''), 'shop:op' || n % 300,
           'shop', 'shop:op' || n % 300, md5(n % 300 || ''), '{staff}', '{orders,menu}', 7, 'full',
           '{"group": ["*"], "state": null, "machine": null, "profiles": ["main"]}', md5(n || ''), $3 from made
       ), outcome as (
         insert into execution_outcome ("callId", "callAt", at, status, reason, attempts, "gatewayMs", "upstreamMs", empty, "resultCommitment")
         select id, at, at + interval '20 ms', 'succeeded', 'granted', 1, 1.25, 18.5, false, $4 from made
       )
       insert into execution_body ("callId", "callAt", part, text, digest, key)
       select id, at, part, case part when 'result' then $6 else $5 end, 'd', $7 from made, unnest(array['arguments', 'result']) part`,
      [start, Math.min(start + AT_ONCE, CALLS) - 1, bodies[0], bodies[1], argumentsText, resultText, Buffer.from(key)],
    );
  await client.query("analyze");
  await client.end();
}
