import { defineConfig, devices } from "@playwright/test";
import { findChromium, FOR_TESTS } from "./scripts/chromium.mjs";

const executablePath = findChromium(FOR_TESTS);

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results/e2e",
  snapshotPathTemplate: "e2e/screens/{arg}{ext}",
  globalSetup: "./e2e/support/server.ts",
  // Each worker has its own server and database; the journeys of one worker run in sequence. They wait for half of their
  // time, so two cores serve three.
  workers: 3,
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  // CI repeats a failed test once, with a trace; `npm test` names each test that passed only then.
  retries: process.env["CI"] === undefined ? 0 : 1,
  // Limits for what hangs, not for what is slow: CI machines can be several times slower than a developer's.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // A trace costs a sixth of the processor, so only repetitions record one.
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
