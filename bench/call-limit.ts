import { Pool } from "pg";
import { closing, type AtEnd } from "@/bench/support/closing";
import { median, report } from "@/bench/support/measure";
import { measureRate, pipelineInProcess, type Rate } from "@/bench/support/pipeline-in-process";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import type { Intent, Outcome, Preconditions } from "@/lib/store/log/executions-rows";

// Measures how near a call comes to its limit, the log's two durable statements: the pipeline on a tool in code, from the
// request to the answer, against a loop of pg that only writes the same two statements with the same payload and the same
// group commit. One process, one Postgres, in turns.

const ROUNDS = 15;
const CALLS = 2_000;
const MAX_BATCH = 64;

/** What a real call wrote. */
interface Payload {
  readonly intent: Intent;
  readonly preconditions: Preconditions;
  readonly outcome: Outcome;
}

await closing(measure);

async function measure(atEnd: AtEnd): Promise<void> {
  const { production, callWith } = await pipelineInProcess(atEnd);
  const payload = await payloadOf(production, callWith);
  const written = await bareWriter(payload, atEnd);
  const call = callWith(production);
  for (const inFlight of [1, 16, 64]) {
    const rounds: { readonly ours: Rate; readonly bare: Rate }[] = [];
    for (let round = -2; round < ROUNDS; round += 1) {
      const seen = {
        ours: await measureRate(call, { calls: CALLS, inFlight }),
        bare: await measureRate(written, { calls: CALLS, inFlight }),
      };
      if (round >= 0) rounds.push(seen);
    }
    const middle = (of: (round: (typeof rounds)[number]) => number) => median(rounds.map(of));
    const figure = (name: "ours" | "bare") =>
      `${middle((seen) => seen[name].perSecond).toFixed(0)}/s with ${middle((seen) => seen[name].processor).toFixed(3)} ms of our processor each`;
    console.log(`        ${inFlight} in flight: a call ${figure("ours")}, its two statements ${figure("bare")}`);
    const ratio = middle(({ ours, bare }) => ours.perSecond / bare.perSecond);
    if (inFlight === 1) console.log(`        1 in flight: ${ratio.toPrecision(3)} × its two statements`);
    else report(`a call / its two statements, ${inFlight} in flight`, ratio, { atLeast: 0.6 });
  }
}

/** Makes one call and keeps what it writes. */
async function payloadOf(
  deps: Dependencies,
  callWith: (effects: Dependencies) => () => Promise<void>,
): Promise<Payload> {
  const seen: Partial<{ -readonly [Part in keyof Payload]: Payload[Part] }> = {};
  await callWith({
    ...deps,
    writeIntent: (intent, preconditions) => {
      Object.assign(seen, { intent, preconditions });
      return deps.writeIntent(intent, preconditions);
    },
    writeOutcome: (outcome, session) => {
      seen.outcome = outcome;
      return deps.writeOutcome(outcome, session);
    },
  })();
  const { intent, preconditions, outcome } = seen;
  if (intent === undefined || preconditions === undefined || outcome === undefined)
    throw new Error("The call wrote no rows.");
  return { intent, preconditions, outcome };
}

/** A function that writes both rows of one more call, each as soon as its group is committed. */
async function bareWriter({ intent, preconditions, outcome }: Payload, atEnd: AtEnd): Promise<() => Promise<void>> {
  const { groupCommit } = await import("@/lib/store/db/group-commit");
  const { intentSql, outcomeSql } = await import("@/lib/store/log/executions-sql");
  const { newCallId } = await import("@/lib/store/log/call-id");
  const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 2 });
  // A connection that still closes when Postgres stops reports an error.
  pool.on("error", () => {});
  atEnd(() => pool.end());
  const commitIntent = groupCommit(async (intents: readonly Intent[]) => {
    const { text, values } = intentSql(intents.map((one) => ({ intent: one, preconditions })));
    const { rows } = await pool.query<{ readonly written: boolean }>({ name: "intent", text, values });
    return rows.map(({ written }) => written);
  }, MAX_BATCH);
  const commitOutcome = groupCommit(async (outcomes: readonly Outcome[]) => {
    const { text, values } = outcomeSql(outcomes);
    return (await pool.query<object>({ name: "outcome", text, values })).rows;
  }, MAX_BATCH);
  return async () => {
    const callId = newCallId();
    const callAt = new Date();
    if (!(await commitIntent({ ...intent, callId, at: callAt }))) throw new Error("An intent was not written.");
    await commitOutcome({ ...outcome, callId, callAt, at: new Date() });
  };
}
