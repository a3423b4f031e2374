import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import { askAdmin } from "@/e2e/support/admin-api";
import { withServer, type ServerUnderTest } from "@/e2e/support/server";
import type { Role } from "@/lib/resources/permissions";

interface Fixtures {
  /** Registers work that restores a state. It runs once the tabs are closed, the last first, also after a failure. */
  readonly afterwards: (work: () => Promise<unknown>) => void;
  /** Registers rows to delete, the last first. A row comes after those that it refers to, and may be gone already. */
  readonly removeAfterwards: (...paths: readonly string[]) => void;
  /** Console errors that a journey itself provokes, such as the browser's note of a refused request. */
  readonly expectedError: RegExp | null;
  /** Whether the journey visits the OpenID provider, the only other host that a journey may visit. */
  readonly visitsOpenId: boolean;
  /** A page that is signed in as the first administrator, as an editor, as an auditor. */
  readonly admin: Page;
  readonly editor: Page;
  readonly auditor: Page;
}

export type RemoveAfterwards = Fixtures["removeAfterwards"];

interface Shared {
  /** The server under test: one for each process that runs journeys, which take turns with it. */
  readonly server: ServerUnderTest;
}

/**
 * `test` with a server and signed-in pages. A journey fails at any console error, uncaught exception, server error or
 * request to another host, in every tab.
 */
export const test = base.extend<Fixtures, Shared>({
  server: [({}, use) => withServer(use), { scope: "worker", timeout: 120_000 }],
  expectedError: [null, { option: true }],
  visitsOpenId: [false, { option: true }],
  // Playwright sets up automatic fixtures first and ends them last. The open page of a deleted row would read it again.
  afterwards: [
    async ({}, use, testInfo) => {
      const works: (() => Promise<unknown>)[] = [];
      await use((work) => void works.push(work));
      const failures: unknown[] = [];
      for (const work of works.toReversed()) await work().catch((error: unknown) => failures.push(error));
      // A failed journey reports its own failure only.
      if (testInfo.status === testInfo.expectedStatus) expect(failures, "what failed afterwards").toEqual([]);
    },
    { auto: true },
  ],
  removeAfterwards: ({ afterwards, server }, use) =>
    use((...paths) => {
      for (const path of paths) afterwards(() => remove(server, path));
    }),
  baseURL: ({ server }, use) => use(server.baseUrl),
  context: async ({ context, expectedError, visitsOpenId, server }, use) => {
    const origins = [server.baseUrl, ...(visitsOpenId ? [`http://127.0.0.1:${server.openIdPort}`] : [])];
    const problems = watch(context, origins, expectedError);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await use(context);
    expect(problems, "what the browser complained about").toEqual([]);
  },
  admin: async ({ page, context, server }, use) => {
    await enter(context, server, "admin");
    await use(page);
  },
  editor: async ({ page, context, server }, use) => {
    await enter(context, server, "editor");
    await use(page);
  },
  auditor: async ({ page, context, server }, use) => {
    await enter(context, server, "auditor");
    await use(page);
  },
});

export { expect };

/** Goes to a page and waits until it listens. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Puts a form's edit into the change set, and waits until it is there: the form checks it first. */
export async function addToChangeSet(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Add to change set" });
  await button.click();
  await expect(button).toBeHidden();
}

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

async function enter(context: BrowserContext, server: ServerUnderTest, role: Role): Promise<void> {
  const { cookieName: name, cookies, baseUrl: url } = server;
  await context.addCookies([{ name, value: cookies[role], url, httpOnly: true, sameSite: "Lax" }]);
}

async function remove(server: ServerUnderTest, path: string): Promise<void> {
  await askAdmin(server, "DELETE", path).catch((error: Error) => {
    if (!error.message.startsWith(`DELETE ${path}: 404 `)) throw error;
  });
}

/** A call has no proof in its first second. The page says so and reads again; the browser logs the 404 by itself. */
const NOT_YET_SEALED = /\/api\/admin\/executions\/[^/]+\/proof$/;

function watch(context: BrowserContext, origins: readonly string[], expected: RegExp | null): string[] {
  const problems: string[] = [];
  context.on("console", (message) => {
    const { url } = message.location();
    if (message.type() !== "error" || expected?.test(message.text()) === true || NOT_YET_SEALED.test(url)) return;
    problems.push(`${message.text()} (${url})`);
  });
  context.on("weberror", (uncaught) => problems.push(`uncaught: ${uncaught.error().message}`));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith("http") && !origins.includes(origin)) problems.push(`asked another host: ${request.url()}`);
  });
  return problems;
}
