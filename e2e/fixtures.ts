import { test as base, expect, type Page } from "@playwright/test";
import type { ServerUnderTest } from "@/e2e/server";

interface Fixtures {
  /** Console errors that a journey itself provokes, such as the browser's note of a refused request. */
  readonly expectedError: RegExp | null;
  /** The server under test. */
  readonly server: ServerUnderTest;
  /** A page that is signed in as the first administrator. */
  readonly admin: Page;
}

/**
 * `test` with a server and a signed-in page. Any console error, uncaught exception or refused
 * resource fails the journey, whether or not it looked at it.
 */
export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    await use(serverUnderTest());
  },
  baseURL: async ({}, use) => {
    await use(serverUnderTest().baseUrl);
  },
  expectedError: [null, { option: true }],
  page: async ({ page, expectedError }, use) => {
    const problems: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error" && expectedError?.test(message.text()) !== true)
        problems.push(`${message.text()} (${message.location().url})`);
    });
    page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
    await use(page);
    expect(problems, "console errors").toEqual([]);
  },
  admin: async ({ page, server }, use) => {
    await signIn(page, server.adminEmail, server.adminPassword);
    await use(page);
  },
});

export { expect };

/** Signs in through the form, as a person does. */
export async function signIn(page: Page, email: string, password: string): Promise<void> {
  await page.goto("/sign-in");
  await hydrated(page);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL((url) => !url.pathname.startsWith("/sign-in"));
}

/** Waits until React listens: keys pressed before are lost. The shell sets `data-hydrated`. */
export async function hydrated(page: Page): Promise<void> {
  await page.locator("html[data-hydrated]").waitFor({ state: "attached" });
}

function serverUnderTest(): ServerUnderTest {
  const facts = process.env["SERVER_UNDER_TEST"];
  if (facts === undefined) throw new Error("e2e/server.ts has not run: start the journeys with Playwright.");
  return JSON.parse(facts) as ServerUnderTest;
}
