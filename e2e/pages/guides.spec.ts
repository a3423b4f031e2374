import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { marked, type Token, type Tokens } from "marked";
import { GUIDES, guideHref } from "@/components/docs/guides";
import { findings } from "@/e2e/support/accessible";
import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

// Guides are followed literally: their commands run as they stand, one after the other in one shell, and print what they say.

/** The output that a guide promises for a command: `# → text` under it. */
const PROMISED = /^# → (.*)$/gm;

const RUNNABLE = GUIDES.filter(({ name }) => commandsOf(name).length > 0);

test("the guides for agent developers and auditors have commands", () => {
  expect(RUNNABLE.map(({ name }) => name)).toEqual(expect.arrayContaining(["agent-developer", "auditor"]));
});

for (const { name } of RUNNABLE)
  test(`the commands of the guide ${name} do what it says`, async ({ server }) => {
    const role = name === "auditor" ? "auditor" : "admin";
    const { token } = await askAdmin<{ token: string }>(server, "POST", "tokens", {
      name: `guide-${name}`,
      role,
      expiresAt: null,
      enabled: true,
    });
    const given = { QUARTERMASTER_URL: server.baseUrl, QUARTERMASTER_KEY: server.apiKey, QUARTERMASTER_TOKEN: token };
    const folder = mkdtempSync(join(tmpdir(), "quartermaster-guide-"));
    const blocks = commandsOf(name);
    for (const block of blocks) {
      // The values that a reader inserts: the server's address, and the credential that was shown once.
      const command = block.replaceAll(/^export (\w+)=.*$/gm, (_, variable: keyof typeof given) => {
        expect(Object.keys(given)).toContain(variable);
        return `: ${variable}`;
      });
      const env = { ...process.env, ...given };
      const printed = execFileSync("bash", ["-euc", command], { cwd: folder, env, encoding: "utf8" });
      for (const [, promised = ""] of block.matchAll(PROMISED)) expect(printed, block).toContain(promised);
    }
    rmSync(folder, { recursive: true });
  });

test("the app shows the guides in both themes, also without signing in", async ({ page }) => {
  for (const { name } of GUIDES) {
    await open(page, guideHref(name));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await findings(page), name).toEqual([]);
  }
});

test("a long guide lists its chapters", async ({ page }) => {
  await page.goto("/docs/guide/admin");
  const contents = page.getByRole("navigation", { name: "On this page" });
  await contents.getByRole("link", { name: "State machines", exact: true }).click();
  await expect(page).toHaveURL(/#state-machines$/);
  await expect(page.getByRole("heading", { level: 2, name: "State machines", exact: true })).toBeInViewport();
});

test("the commands of a guide name this server", async ({ page, server }) => {
  await open(page, guideHref("agent-developer"));
  await expect(page.getByRole("region", { name: "Example 1" })).toContainText(`QUARTERMASTER_URL=${server.baseUrl}`);
});

test("a page links to its section of the guide, in a new tab", async ({ admin, context }) => {
  await open(admin, "/admin/policies");
  const opened = context.waitForEvent("page");
  await admin.getByRole("link", { name: "Guide: Access policies (opens a new tab)" }).click();
  const guide = await opened;
  await expect(guide).toHaveURL(/\/docs\/guide\/admin#access-policies$/);
  await expect(guide.getByRole("heading", { name: "Access policies" })).toBeInViewport();
});

function commandsOf(guide: string): string[] {
  const text = readFileSync(join(process.cwd(), `docs/guides/${guide}.md`), "utf8");
  return commandsIn(marked.lexer(text));
}

/** The commands of a text, also those inside the steps of a list. */
function commandsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.type === "list") return (token as Tokens.List).items.flatMap((step) => commandsIn(step.tokens));
    return token.type === "code" && token["lang"] === "sh" ? [String(token["text"])] : [];
  });
}
