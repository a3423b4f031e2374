import { findings } from "@/e2e/support/accessible";
import { expect, open, test } from "@/e2e/support/fixtures";

test("an agent developer reads the API without signing in, finds an operation and links to it", async ({ page }) => {
  await open(page, "/docs");
  await expect(page.getByRole("heading", { name: "1. Get a key" })).toBeVisible();
  await page.getByLabel("Filter API operations").fill("call tool");
  await page
    .getByRole("navigation", { name: "API" })
    .getByRole("link", { name: "POST Call a tool", exact: true })
    .click();
  await expect(page).toHaveURL(/\/docs\/agent-api#call_tool$/);
  const operation = page.getByRole("region", { name: "Call a tool" });
  await expect(operation.getByText("Authorization: Bearer $QUARTERMASTER_KEY")).toBeInViewport();
  const callId = operation.getByText("call_id", { exact: true }).first();
  await expect(callId).toBeHidden();
  await operation.getByText("CallResult").first().click();
  await expect(callId).toBeVisible();
});

test("the API's pages have no accessibility violation in either theme", async ({ page }) => {
  for (const path of ["/docs", "/docs/agent-api", "/docs/tools"]) {
    await open(page, path);
    expect(await findings(page), path).toEqual([]);
  }
});
