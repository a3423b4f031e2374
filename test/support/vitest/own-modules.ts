import { afterAll, vi } from "vitest";
import "@/test/support/vitest/environment";
import { endModules, renewKept } from "@/test/support/vitest/end-modules";

/**
 * Isolates a test file in a shared process as in a separate one: fresh modules of ours, an environment, and timers that
 * end with it. Node, Vitest and the packages are loaded once. What still runs of an earlier file keeps that file's modules
 * and their values: it can put nothing into this one's.
 */
vi.resetModules();
renewKept();

const environment = { ...process.env };
const { setInterval } = globalThis;
const clocks: NodeJS.Timeout[] = [];

function noted(...args: Parameters<typeof setInterval>): NodeJS.Timeout {
  const clock = setInterval(...args);
  clocks.push(clock);
  return clock;
}

globalThis.setInterval = Object.assign(noted, setInterval);

afterAll(async () => {
  await endModules();
  for (const clock of clocks) clearInterval(clock);
  globalThis.setInterval = setInterval;
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
