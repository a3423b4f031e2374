import { createServer, type Server } from "node:http";
import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";

const KEY = "orders-key-0123456789";

/** The host of one operation, which is no server of the document. */
const OTHER_HOST = "other.invalid";

/** An API whose document, and whose calls, want a key. */
async function startOrders(port: number): Promise<Server> {
  const document = {
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Orders-Key" } } },
    paths: { "/orders": { get: { operationId: "list-orders", responses: {} } } },
  };
  const orders = createServer((request, response) => {
    const isOpen = request.url === "/open.json" || request.headers["x-orders-key"] === KEY;
    response.writeHead(isOpen ? 200 : 401, { "content-type": "application/json" }).end(JSON.stringify(document));
  });
  await new Promise<void>((done) => orders.listen(port, "127.0.0.1", done));
  return orders;
}

test("a document behind a login is read once its key is set; one that asks for a key offers to set it up", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  test.slow();
  for (const source of ["e2e-closed", "e2e-open"]) removeAfterwards(`sources/${source}`, `tools/${source}:list-orders`);
  const orders = await startOrders(server.upstreamPort);
  try {
    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Import OpenAPI" }).click();
    const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
    const begin = async (source: string, path: string) => {
      await dialog.getByLabel("Name", { exact: true }).fill(source);
      await dialog.getByLabel("URL", { exact: true }).fill(`http://127.0.0.1:${server.upstreamPort}${path}`);
    };

    await begin("e2e-closed", "/closed.json");
    await dialog.getByRole("button", { name: "Read document" }).click();
    await expect(dialog.getByRole("alert")).toContainText("status 401");
    await dialog.getByRole("button", { name: "Back" }).click();
    await dialog.getByLabel("Authentication").click();
    await admin.getByRole("option", { name: "API key" }).click();
    await dialog.getByLabel("Parameter").fill("X-Orders-Key");
    // An empty list says so, and Escape closes it before the dialog, which asks first.
    await dialog.getByRole("combobox", { name: "Secret", exact: true }).click();
    await expect(admin.getByText("No secrets yet")).toBeVisible();
    await admin.keyboard.press("Escape");
    await expect(admin.getByText("No secrets yet")).toBeHidden();
    await admin.keyboard.press("Escape");
    await admin.getByRole("button", { name: "Keep editing" }).click();
    // A list with nothing to show stays closed: it would hide the rest of the dialog from screen readers.
    const name = dialog.getByLabel("Name", { exact: true });
    await name.fill("e2e-nothing-like-it");
    await expect(name).toHaveAttribute("aria-expanded", "false");
    await name.fill("e2e-closed");
    await dialog.getByRole("button", { name: "New secret…" }).click();
    const secret = admin.getByRole("dialog", { name: "New secret" });
    await secret.getByLabel("Name").fill("e2e-orders-key");
    await secret.getByLabel("Value").fill(KEY);
    await secret.getByRole("button", { name: "Set secret" }).click();
    await expect(secret).toBeHidden();
    await dialog.getByRole("button", { name: "Read document" }).click();
    await dialog.getByRole("button", { name: "Import 1 operation" }).click();
    await expect(dialog).toBeHidden();
    const auth = { mode: "api_key", in: "header", name: "X-Orders-Key", secret: "e2e-orders-key" };
    expect(await askAdmin(server, "GET", "sources/e2e-closed")).toMatchObject({ auth });

    await open(admin, "/admin/sources");
    await admin.getByRole("button", { name: "Import OpenAPI" }).click();
    await begin("e2e-open", "/open.json");
    await dialog.getByRole("button", { name: "Read document" }).click();
    await dialog.getByRole("button", { name: "Set up: An API key in the header X-Orders-Key" }).click();
    await expect(dialog.getByLabel("Parameter")).toHaveValue("X-Orders-Key");
    await dialog.getByLabel("Secret").fill("e2e-orders-key");
    await admin.getByRole("option", { name: "e2e-orders-key" }).click();
    await dialog.getByRole("button", { name: "Import 1 operation" }).click();
    await expect(dialog).toBeHidden();
    expect(await askAdmin(server, "GET", "sources/e2e-open")).toMatchObject({ auth });
  } finally {
    orders.closeAllConnections();
    orders.close();
  }
});

test("an operation of a host that is no server of the document is imported only once a person accepts the host", async ({
  admin,
  server,
  removeAfterwards,
}) => {
  const source = "e2e-hosts";
  removeAfterwards(`sources/${source}`, `tools/${source}:own`, `tools/${source}:other`);
  const document = {
    openapi: "3.1.0",
    info: { title: "Hosts", version: "1" },
    servers: [{ url: `http://127.0.0.1:${server.upstreamPort}` }],
    paths: {
      "/own": { get: { operationId: "own", responses: {} } },
      "/other": { get: { operationId: "other", servers: [{ url: `https://${OTHER_HOST}` }], responses: {} } },
    },
  };
  await open(admin, "/admin/sources");
  await admin.getByRole("button", { name: "Import OpenAPI" }).click();
  const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
  await dialog.getByLabel("Name", { exact: true }).fill(source);
  await dialog.getByText("From a file or text").click();
  await dialog.getByRole("textbox", { name: "Text" }).fill(JSON.stringify(document));
  await dialog.getByRole("button", { name: "Read document" }).click();
  const hosts = dialog.getByRole("region", { name: "Hosts that calls go to" });
  const host = hosts.getByRole("checkbox", { name: new RegExp(OTHER_HOST) });
  await expect(host).not.toBeChecked();
  await expect(hosts).toContainText("No tool of the source calls it yet.");
  const apply = dialog.getByRole("button", { name: /^Import 2 operations/ });
  await expect(apply).toBeDisabled();
  // The host of no selected operation needs no consent.
  const other = dialog.getByRole("checkbox", { name: `${source}:other` });
  await other.click();
  await expect(host).toBeDisabled();
  await expect(dialog.getByRole("button", { name: /^Import 1 operation/ })).toBeEnabled();
  await other.click();
  await expect(apply).toBeDisabled();
  await host.click();
  await apply.click();
  await expect(dialog).toBeHidden();
  expect(await askAdmin(server, "GET", `tools/${encodeURIComponent(`${source}:other`)}`)).toMatchObject({
    run: { url: `https://${OTHER_HOST}/other` },
  });
});

test("an import that ends after its dialog was closed offers its tools, and leads nobody away", async ({
  admin,
  removeAfterwards,
}) => {
  const source = "e2e-late-import";
  removeAfterwards(`sources/${source}`, `tools/${source}:own`);
  const document = {
    openapi: "3.1.0",
    info: { title: "Late", version: "1" },
    servers: [{ url: `https://${OTHER_HOST}` }],
    paths: { "/own": { get: { operationId: "own", responses: {} } } },
  };
  let answer = () => {};
  const held = new Promise<void>((resolve) => (answer = resolve));
  await open(admin, "/admin/sources");
  await admin.route("**/api/admin/imports/*/apply", (route) => held.then(() => route.continue()));
  await admin.getByRole("button", { name: "Import OpenAPI" }).click();
  const dialog = admin.getByRole("dialog", { name: "Import an OpenAPI document" });
  await dialog.getByLabel("Name", { exact: true }).fill(source);
  await dialog.getByText("From a file or text").click();
  await dialog.getByRole("textbox", { name: "Text" }).fill(JSON.stringify(document));
  await dialog.getByRole("button", { name: "Read document" }).click();
  await dialog.getByRole("button", { name: /^Import 1 operation/ }).click();
  await expect(dialog.getByText("Saving…")).toBeVisible();
  await admin.keyboard.press("Escape");
  await admin.getByRole("navigation").getByRole("link", { name: "Access policies", exact: true }).click();
  await expect(admin).toHaveURL(/\/admin\/policies/);
  answer();
  await admin.getByRole("button", { name: "Show tools" }).click();
  await expect(admin).toHaveURL(new RegExp(`/admin/tools\\?source=${source}`));
});
