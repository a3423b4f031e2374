import { findings } from "@/e2e/support/accessible";
import { expect, open, test } from "@/e2e/support/fixtures";

// A page that cannot show its object says what happened, with its own heading and a link onwards.

/** An address of nothing, of each kind of page, and what leads back from it. */
const NOTHING: readonly (readonly [address: string, back: string])[] = [
  ["/admin/policies/nobody-wrote-this", "Access policies"],
  ["/admin/api-keys/nobody-wrote-this", "API keys"],
  ["/admin/tools/nobody%3Awrote-this", "Tools"],
  ["/admin/policies/100%zz", "Access policies"],
  ["/admin/tools/%ff", "Tools"],
  ["/admin/secrets/nobody-wrote-this", "Secrets"],
  ["/admin/profiles/nobody-wrote-this", "Profiles"],
  ["/admin/executions/nobody-called", "Executions"],
  ["/admin/approvals/nobody-called", "Approvals"],
  ["/admin/denials/nobody-called", "Refusals"],
  ["/admin/sessions/nobody-called", "Sessions"],
  ["/admin/deliveries/nobody-called", "Deliveries"],
  ["/admin/changes/0", "Changes"],
];

test.describe("an answer that is an error", () => {
  // The browser notes each.
  test.use({ expectedError: /Failed to load resource/ });

  test("the page of a missing object says so, and links to the list", async ({ admin }) => {
    for (const [address, back] of NOTHING) {
      await open(admin, address);
      await expect(admin.getByRole("heading", { level: 1 }), address).toHaveText("Not found");
      await expect(admin.getByRole("main").getByRole("link", { name: `Back to ${back}` }), address).toBeVisible();
    }
    expect(await findings(admin)).toEqual([]);
    await admin.getByRole("link", { name: "Back to Changes" }).click();
    await expect(admin.locator("[data-row]").first()).toBeVisible();
  });

  test("the page of a deleted row links to its deletion", async ({ admin, server }) => {
    const headers = { origin: server.baseUrl };
    const made = await admin.request.post("/api/admin/personas", { data: { name: "e2e-gone" }, headers });
    const etag = made.headers()["etag"] ?? "";
    const gone = await admin.request.delete("/api/admin/personas/e2e-gone", {
      headers: { ...headers, "if-match": etag },
    });
    expect(gone.ok()).toBe(true);
    await open(admin, "/admin/personas/e2e-gone");
    await expect(admin.getByRole("main")).toContainText("There is no persona e2e-gone.");
    await admin.getByRole("link", { name: "Show history" }).click();
    await expect(admin.locator("[data-row]")).toHaveCount(2);
    await expect(admin.getByRole("row").nth(1)).toContainText("deleted");
  });

  test("an unknown admin address is shown inside the app's frame", async ({ admin }) => {
    for (const address of ["/admin/nowhere", "/nowhere"]) {
      await open(admin, address);
      await expect(admin.getByRole("heading", { level: 1 }), address).toHaveText("Not found");
      const frame = admin.getByRole("navigation", { name: "Main" });
      await expect(frame, address).toHaveCount(address.startsWith("/admin") ? 1 : 0);
    }
    expect(await findings(admin)).toEqual([]);
    await admin.getByRole("link", { name: "Go to the overview" }).click();
    await expect(admin).toHaveURL(/\/admin\/overview$/);
  });

  test("a page that could not reach the server loads after a retry", async ({ admin }) => {
    const asked = "**/api/admin/policies/support-staff";
    await admin.route(asked, (route) => route.abort());
    await open(admin, "/admin/policies/support-staff");
    await expect(admin.getByRole("heading", { level: 1 })).toHaveText("Could not load", { timeout: 15_000 });
    await expect(admin.getByRole("main")).toContainText("The server cannot be reached.");
    await expect(admin.getByRole("main").getByRole("link", { name: "Back to Access policies" })).toBeVisible();
    expect(await findings(admin)).toEqual([]);
    await admin.unroute(asked);
    await admin.getByRole("button", { name: "Try again" }).click();
    await expect(admin.getByRole("heading", { level: 1 })).toHaveText("support-staff");
  });
});

test.describe("an import whose progress cannot be fetched", () => {
  test.use({ expectedError: /Failed to load resource/ });

  test("says that the import continues, and shows its plan after a retry", async ({ admin }) => {
    const looks = /\/api\/admin\/imports\/[^/]+$/;
    await admin.route(looks, (route) => route.abort());
    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Import OpenAPI" }).click();
    const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
    await dialog.getByLabel("Name", { exact: true }).fill("e2e-unseen");
    await dialog.getByText("From a file or text").click();
    await dialog.getByRole("textbox", { name: "Text" }).fill("openapi: 3.1.0\npaths: {}");
    await dialog.getByRole("button", { name: "Read document" }).click();
    await expect(dialog.getByRole("alert")).toContainText("keeps reading the source", { timeout: 15_000 });
    expect(await findings(admin)).toEqual([]);
    await admin.unroute(looks);
    await dialog.getByRole("button", { name: "Try again" }).click();
    await expect(dialog).toContainText("The source has no operations.");
  });
});

test("an empty parameter, or an unknown tab, still shows the page", async ({ admin }) => {
  for (const address of ["executions?peek=", "denials?peek=", "drift?peek=", "tools?source="]) {
    await open(admin, `/admin/${address}`);
    await expect(admin.getByRole("searchbox"), address).toBeVisible();
    await expect(admin.getByRole("dialog"), address).toHaveCount(0);
  }
  await open(admin, "/admin/tools/support%3Arefund_order?tab=nowhere");
  await expect(admin.getByRole("tab", { name: "Overview" })).toHaveAttribute("aria-selected", "true");
  await expect(admin.getByLabel("Description", { exact: true })).toBeVisible();
});

test("a forbidden page says whom to ask, and links to an allowed one", async ({ editor }) => {
  await open(editor, "/admin/tokens");
  await expect(editor.getByRole("heading", { level: 1 })).toHaveText("No access");
  await expect(editor.getByRole("main")).toContainText(
    "Your role is editor. This page needs the role admin or auditor. Ask an administrator",
  );
  expect(await findings(editor)).toEqual([]);
  await editor.getByRole("link", { name: "Go to the overview" }).click();
  await expect(editor).toHaveURL(/\/admin\/overview$/);
});

test("an offline browser still sends requests, because the server may be local", async ({ admin }) => {
  await open(admin, "/admin/policies");
  const row = (name: string) => admin.getByRole("link", { name, exact: true });
  await expect(row("support-staff")).toBeVisible();
  await admin.evaluate(() => window.dispatchEvent(new Event("offline")));
  await admin.getByRole("searchbox").fill("contractors");
  await expect(row("support-staff")).toHaveCount(0);
  await expect(row("contractors-move-no-money")).toBeVisible();
});

test.describe("a part of the app that cannot be loaded", () => {
  test.use({ expectedError: /Failed to load|ChunkLoadError|Loading chunk/ });

  // Findings has its own screen. Sources uses the screen of all resources, which loads the list and its columns separately.
  for (const page of ["Findings", "Sources"])
    test(`the page ${page} reports the failure, and a retry loads it`, async ({ admin }) => {
      await open(admin, "/admin/policies");
      await expect(admin.getByRole("link", { name: "support-staff", exact: true })).toBeVisible();
      await admin.route("**/_next/static/chunks/*.js", (route) => route.abort());
      await admin.getByRole("navigation", { name: "Main" }).getByRole("link", { name: page }).click();
      await expect(admin.getByRole("heading", { level: 1 })).toHaveText("This page failed");
      await admin.unrouteAll();
      await admin.getByRole("button", { name: "Try again" }).click();
      await expect(admin.getByRole("heading", { level: 1 })).toHaveText(page);
    });
});
