import { median, report } from "@/bench/support/measure";
import { inTurns, servedWorld, type ServedWorld } from "@/bench/support/served-world";
import { GROWING_LISTS, questionsOf } from "@/test/support/growing-lists";
import { startThrowawayServer } from "@/test/support/servers/throwaway-server";

// Searching the log: the first page by each filter, and by text, with 1,000,000 calls beside the same page with 100,000. The
// two take turns. A page is read by an index and costs the same; matches are counted up to 10,000, which most filters have in
// the larger log only. What read all that it finds would take ten times as long. Calls that wait for a person are left out: they
// are looked up one by one, and how many wait does not follow from how many were made.

const FEW = { tools: 100, executions: 100_000 };
const MANY = { tools: 100, executions: 1_000_000 };
const TURNS = { rounds: 15, warm: 3 };
const AT_MOST = 5;

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
      report(`search by ${question || "nothing"}: 1,000,000 calls / 100,000`, after / before, { atMost: AT_MOST });
    }
} finally {
  for (const world of worlds) world.stop();
  await postgres.stop();
}
