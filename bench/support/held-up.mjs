import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread } from "node:worker_threads";

// Preloaded into a process, or a process by itself. At a SIGUSR2 it writes into the folder HELD_UP the longest hold-up of the
// event loop since the last signal: in milliseconds of wall time, and of processor time. The second excludes what other programs
// on the machine add.

const TICK_MS = 5;
const folder = process.env["HELD_UP"];
// Linux's figures of this thread: the first is nanoseconds on a processor, without waiting for one.
const CPU = `/proc/self/task/${process.pid}/schedstat`;
const working = existsSync(CPU) ? () => Number(readFileSync(CPU, "utf8").split(" ")[0]) / 1e6 : () => performance.now();

if (isMainThread && folder !== undefined) {
  // Announces the process and its program, which can be measured from now on.
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
  // A process by itself ends with its parent.
  process.once("disconnect", () => process.exit(0));
}
