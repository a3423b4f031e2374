import { afterAll, vi } from "vitest";
import "@/test/support/vitest/environment";
import { endModules, renewKept } from "@/test/support/vitest/end-modules";

/**
 * Isolates a test file in a shared process: it gets its own instances of our modules, its own environment variables, and
 * intervals that end with it. Node, Vitest and packages are loaded once. Late work of an earlier file keeps the modules of
 * that file, so it cannot change the values of this one.
 */
vi.resetModules();
renewKept();

const environment = { ...process.env };
const { setInterval } = globalThis;
const intervals: NodeJS.Timeout[] = [];

function setTrackedInterval(...args: Parameters<typeof setInterval>): NodeJS.Timeout {
  const interval = setInterval(...args);
  intervals.push(interval);
  return interval;
}

globalThis.setInterval = Object.assign(setTrackedInterval, setInterval);

afterAll(async () => {
  await endModules();
  for (const interval of intervals) clearInterval(interval);
  globalThis.setInterval = setInterval;
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
});
