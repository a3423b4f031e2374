import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

// Preloaded into a process, or a process by itself: at a SIGUSR2 it writes into the folder HELD_UP how many milliseconds the
// event loop was held up at once since the last one, at the most, and how many of its own work, which is what it would have
// been on a machine that does nothing else.

const TICK_MS = 5;
const folder = process.env["HELD_UP"];
// Of this thread, by Linux: nanoseconds on a processor, first; waiting for one is not among them.
const CPU = `/proc/self/task/${process.pid}/schedstat`;
const working = existsSync(CPU) ? () => Number(readFileSync(CPU, "utf8").split(" ")[0]) / 1e6 : () => performance.now();

if (isMainThread && folder !== undefined) {
  // Says that it can be asked, and what it runs.
  writeFileSync(join(folder, `process-${process.pid}`), process.argv.slice(1).join(" "));
  let most = { all: 0, own: 0 };
  let last = { all: performance.now(), own: working() };
  setInterval(() => {
    const now = { all: performance.now(), own: working() };
    most = { all: Math.max(most.all, now.all - last.all), own: Math.max(most.own, now.own - last.own) };
    last = now;
  }, TICK_MS).unref();
  process.on("SIGUSR2", () => {
    const written = join(folder, `${process.pid}`);
    writeFileSync(`${written}.part`, JSON.stringify(most));
    renameSync(`${written}.part`, written);
    most = { all: 0, own: 0 };
  });
  // By itself it lasts as long as the process that started it.
  process.once("disconnect", () => process.exit(0));
}
