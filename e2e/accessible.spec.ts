import { AxeBuilder } from "@axe-core/playwright";
import { NAVIGATION } from "@/components/shell/navigation";
import { THEME_COOKIE } from "@/components/shell/theme";
import { expect, hydrated, test } from "@/e2e/fixtures";

const PAGES = NAVIGATION.flatMap((section) => section.entries.map((entry) => entry.href as string));

for (const theme of ["light", "dark"] as const)
  test.describe(`in the ${theme} theme`, () => {
    test.beforeEach(async ({ context, server }) => {
      await context.addCookies([{ name: THEME_COOKIE, value: theme, url: server.baseUrl }]);
    });

    test("sign-in is accessible", async ({ page }) => {
      await page.goto("/sign-in");
      await hydrated(page);
      expect(await findings(page)).toEqual([]);
    });

    for (const path of [...PAGES, "/admin/policies/new", "/admin/groups/new", "/admin/tools/new"])
      test(`${path} is accessible`, async ({ admin }) => {
        await admin.goto(path);
        await hydrated(admin);
        await expect(admin.getByRole("heading", { level: 1 })).toBeVisible();
        await admin.waitForLoadState("networkidle");
        expect(await findings(admin)).toEqual([]);
      });
  });

async function findings(page: ConstructorParameters<typeof AxeBuilder>[0]["page"]) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(" ")).join(", ")}`);
}
