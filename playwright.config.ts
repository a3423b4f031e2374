import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./bin/chromium.mjs";

const executablePath = findChromium();

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  outputDir: "test-results/e2e",
  snapshotPathTemplate: "e2e/screens/{arg}{ext}",
  globalSetup: "./e2e/server.ts",
  // One server and one database for the run: journeys take turns.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env["CI"] !== undefined,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
});
