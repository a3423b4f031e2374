import { median, report } from "@/bench/support/measure";
import { inTurns, servedWorld, type ServedWorld } from "@/bench/support/servers/served-world";
import { GROWING_LISTS, questionsOf } from "@/test/support/growing-lists";
import { startThrowawayServer } from "@/test/support/servers/throwaway-server";

// Measures the first page of the log by each filter and by text, with 1,000,000 calls against 100,000, in turns. An index
// serves a page, so both must cost the same; reading all matches would cost ten times as much. Matches are counted up to
// 10,000, a number that most filters reach in the larger log only. Excludes calls that wait for a person: their number does
// not depend on the log's size, and each is a separate lookup.

/** SEARCH_CALLS=10000000 compares 10,000,000 calls with 1,000,000: filling the log then takes an hour. */
const CALLS = Number(process.env["SEARCH_CALLS"] ?? 1_000_000);
const MANY = { tools: 100, executions: CALLS };
const FEW = { tools: 100, executions: CALLS / 10 };
const TURNS = { rounds: 15, warm: 3 };
const AT_MOST = CALLS > 1_000_000 ? 3 : 5;

const postgres = await startThrowawayServer({ durable: true });
const worlds: ServedWorld[] = [];
try {
  const few = await servedWorld(postgres, "few", FEW);
  worlds.push(few);
  const many = await servedWorld(postgres, "many", MANY);
  worlds.push(many);
  for (const list of GROWING_LISTS.filter(({ path }) => path === "executions"))
    for (const question of questionsOf(list).filter((one) => one !== "status=awaiting_approval")) {
      const [before, after] = (await inTurns([few, many], `${list.path}?${question}`, TURNS)).map(median) as [
        number,
        number,
      ];
      console.log(`        ${question.padEnd(40)} ${before.toFixed(2)} ms → ${after.toFixed(2)} ms`);
      report(`search by ${question || "nothing"}: ${MANY.executions} calls / ${FEW.executions}`, after / before, {
        atMost: AT_MOST,
      });
    }
} finally {
  for (const world of worlds) world.stop();
  await postgres.stop();
}
