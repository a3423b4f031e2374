import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closing, type AtEnd } from "@/bench/support/closing";
import { median, report } from "@/bench/support/measure";
import { run } from "@/bin/boot/run.mjs";
import { freePort } from "@/test/support/servers/free-port";

// Measures `npm start` in a clone of the committed state: the first start, which installs packages and builds, and later
// starts. A start ends when it prints its address, because then gateway and app answer.

const LATER_STARTS = 5;

/** The line that a start prints last, when everything answers. */
const SERVES = /^ {2}Ctrl-C stops everything\.$/m;

/** A line of a start's progress, with the time of the step. */
const STEP = /^\[\d\/\d\]/;

await closing(async (atEnd) => {
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-start-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "clone");
  await run("git", ["clone", "--quiet", process.cwd(), clone]);
  const first = await startIn(clone, atEnd);
  // Each step with its time: where a first start spends it.
  console.log(
    first.output
      .split("\n")
      .filter((line) => STEP.test(line))
      .join("\n"),
  );
  const later: number[] = [];
  for (let start = 0; start < LATER_STARTS; start += 1) later.push((await startIn(clone, atEnd)).seconds);
  report("npm start in a fresh clone, until it serves", first.seconds, { atMost: 97 }, " s");
  report("a later npm start, until it serves", median(later), { atMost: 3 }, " s");
});

/** Starts until it serves, then stops. @throws when it ends before it serves */
async function startIn(clone: string, atEnd: AtEnd): Promise<{ readonly seconds: number; readonly output: string }> {
  const begun = performance.now();
  const child = spawn(process.execPath, ["bin/start.mjs"], {
    cwd: clone,
    env: { ...process.env, PORT: String(await freePort()) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  atEnd(() => void child.kill());
  const ended = once(child, "exit");
  let output = "";
  const serves = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        if (SERVES.test(output)) resolve();
      });
  });
  await Promise.race([
    serves,
    ended.then(() => {
      throw new Error(`The start ended before it served:\n${output}`);
    }),
  ]);
  const seconds = (performance.now() - begun) / 1000;
  child.kill();
  await ended;
  return { seconds, output };
}
