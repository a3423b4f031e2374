import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./bin/chromium.mjs";

const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results/e2e",
  snapshotPathTemplate: "e2e/screens/{arg}{ext}",
  globalSetup: "./e2e/server.ts",
  // Each has a server and a database of its own; the journeys of one take turns.
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  // What fails is run once more, with a trace: one would take a sixth of the processor from all that pass. `npm test` names it.
  retries: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    trace: "on-first-retry",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
