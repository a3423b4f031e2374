import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Instance } from "@/test/support/processes/instance";

/** A clock of server processes that a test moves forward. */
export interface ShiftedClock {
  /** The environment of the processes. */
  readonly env: Record<string, string>;
  /** Sets the clocks of these processes ahead of the real time, in milliseconds. They follow within moments. */
  ahead(instances: readonly Instance[], ms: number): void;
  remove(): void;
}

/** A clock that shows the real time until it is set ahead. */
export function shiftedClock(): ShiftedClock {
  const folder = mkdtempSync(join(tmpdir(), "quartermaster-clock-"));
  const file = join(folder, "shift");
  const preloaded = join(process.cwd(), "test/support/processes/preloaded-clock.mjs");
  return {
    env: { NODE_OPTIONS: `--import=${preloaded}`, CLOCK_SHIFT: file },
    ahead: (instances, ms) => {
      writeFileSync(file, String(ms));
      for (const { pid } of instances) process.kill(pid(), "SIGUSR2");
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
