import { median, report } from "@/bench/support/measure";
import { inTurns, servedWorld, type ServedWorld } from "@/bench/support/servers/served-world";
import { GROWING_LISTS } from "@/test/support/growing-lists";
import { LARGE, SMALL } from "@/test/support/worlds/large-world";
import { startThrowawayServer } from "@/test/support/servers/throwaway-server";

// Measures what the server spends on the first page of each list with 10,000 tools and 100,000 executions, against the same
// page with 100 of each: authentication, rows, count and the answer's text. The two sizes take turns.

const TURNS = { rounds: 100, warm: 20 };
const AT_MOST = 2;

const postgres = await startThrowawayServer({ durable: true });
const worlds: ServedWorld[] = [];
try {
  const small = await servedWorld(postgres, "small", SMALL);
  worlds.push(small);
  const large = await servedWorld(postgres, "large", LARGE);
  worlds.push(large);
  for (const { path } of GROWING_LISTS) {
    const [before, after] = (await inTurns([small, large], path, TURNS)).map(median) as [number, number];
    console.log(`        ${path.padEnd(14)} ${before.toFixed(2)} ms → ${after.toFixed(2)} ms`);
    report(`first page of ${path}: 10,000 tools, 100,000 calls / 100`, after / before, { atMost: AT_MOST });
  }
} finally {
  for (const world of worlds) world.stop();
  await postgres.stop();
}
