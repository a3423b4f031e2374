import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startOwnServer } from "@/e2e/support/own-server";
import { Film } from "@/scripts/screencast/film";
import { build, IMAGES, openSignedIn, startBrowser } from "@/scripts/screencast/studio";

// Records docs/images/screencast.gif, the film in the README: `npm run screencast`. A real server without the demo, a real
// API to import, and one agent. The story: import → policy → preview → call → log.

const SIZE = { width: 1024, height: 640 };
const AGENT = "helpdesk-bot";
const SOURCE = "orders";

const OPERATIONS: readonly (readonly [string, string, string, string])[] = [
  ["/orders", "get", "list-orders", "Lists the latest orders."],
  ["/orders/latest", "get", "get-latest-order", "Reads the latest order."],
  ["/invoices", "get", "list-invoices", "Lists the invoices."],
  ["/refunds", "post", "refund-order", "Pays an order back."],
  ["/cancellations", "post", "cancel-order", "Cancels an order."],
];

/** Serves the API that the film imports and calls. */
function serveOrders(): Promise<Server> {
  const paths: Record<string, Record<string, object>> = {};
  for (const [path, method, operationId, summary] of OPERATIONS)
    paths[path] = { [method]: { operationId, summary, responses: { 200: { description: "Done." } } } };
  const document = { openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths };
  const order = { id: "O-5001", total: 42.5, currency: "EUR" };
  const server = createServer(({ url }, response) =>
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(url === "/openapi.json" ? document : order)),
  );
  return new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
}

/** What exists before the film begins: an agent with a key, and a group of reading tools. @returns the key */
async function prepare(page: Page, origin: string): Promise<string> {
  const post = async (path: string, data: object) => {
    const send = () => page.request.post(`/api/admin/${path}`, { data, headers: { origin } });
    let answer = await send();
    // A machine that still starts the server may answer too late.
    for (let left = 10; left > 0 && answer.status() === 503; left -= 1) answer = await send();
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as { key?: string };
  };
  await post("agents", { name: AGENT, attributes: { team: "support" } });
  await post("groups", { name: "order-lookup", selectors: [{ source: SOURCE, readOnly: true }] });
  const { key = "" } = await post("api-keys", { name: `${AGENT}-key`, agent: AGENT });
  return key;
}

async function showImport(page: Page, film: Film, document: string): Promise<void> {
  await film.open("/admin/sources");
  await page.getByRole("row").filter({ hasText: "builtin" }).waitFor();
  await film.say("Import", "The operations of an API become tools", 1500);
  await film.click(page.getByRole("button", { name: "Import OpenAPI" }).first());
  const dialog = page.getByRole("dialog", { name: "Import an OpenAPI document" });
  await film.type(dialog.getByLabel("Name", { exact: true }), SOURCE);
  await dialog.getByLabel("Name", { exact: true }).press("Enter");
  await film.type(dialog.getByLabel("URL", { exact: true }), document);
  await film.click(dialog.getByRole("button", { name: "Read document" }));
  const refund = dialog.getByRole("checkbox", { name: `${SOURCE}:refund-order` });
  await refund.waitFor();
  await film.say("Import", "Nothing with side effects is selected", 2000);
  await film.click(refund);
  await film.hold(500);
  await film.click(dialog.getByRole("button", { name: /^Import 4 operations/ }));
  await dialog.waitFor({ state: "hidden" });
  const tools = page.getByRole("table", { name: "Tools" });
  await tools.getByRole("row").filter({ hasText: "refund-order" }).waitFor();
  await film.hold(1200);
}

async function showPolicy(page: Page, film: Film): Promise<void> {
  await film.open("/admin/policies/new");
  await page.getByLabel("Name", { exact: true }).waitFor();
  await film.say("Policy", "A policy grants a group of tools by claims", 1400);
  await film.type(page.getByLabel("Name", { exact: true }), "support-reads-orders");
  await film.click(page.getByRole("button", { name: "Add condition" }));
  const condition = page.getByRole("listitem", { name: "Condition 1" });
  await film.type(condition.getByLabel("Claim path"), "team");
  await page.keyboard.press("Tab");
  await film.type(condition.getByLabel("Value"), "support");
  await page.keyboard.press("Tab");
  await film.type(page.getByLabel("Groups"), "order");
  await film.click(page.getByRole("option", { name: /^order-lookup/ }));
  await page.getByRole("status", { name: "What this policy does" }).filter({ hasText: "order-lookup" }).waitFor();
  await film.hold(1800);
  await film.click(page.getByRole("button", { name: "Create access policy" }));
  await page.getByText("Created access policy support-reads-orders").waitFor();
  await page
    .getByRole("tab")
    .or(page.getByRole("heading", { name: "support-reads-orders" }))
    .first()
    .waitFor();
  await film.hold(900);
}

async function showPreview(page: Page, film: Film): Promise<void> {
  await film.open(`/admin/preview?agent=${AGENT}`);
  const visible = page.getByRole("listbox", { name: "Visible tools" });
  await visible.getByRole("option").first().waitFor();
  await film.say("Preview", "The tools that this agent gets …", 2000);
  await film.click(page.getByRole("tab", { name: /Hidden/ }));
  await film.click(page.getByRole("option").filter({ hasText: "refund-order" }));
  await page.getByRole("complementary", { name: "Explanation" }).getByText("Hidden", { exact: true }).waitFor();
  await film.say("Preview", "… and why the others are hidden", 2600);
}

interface Answer {
  readonly status: string;
  readonly error?: { readonly code: string; readonly message: string };
  readonly output?: unknown;
}

async function showCall(film: Film, origin: string, key: string): Promise<void> {
  const lines = ["# the agent, with its API key"];
  await film.say("Call", "The agent calls", 300);
  for (const tool of ["get-latest-order", "refund-order"]) {
    const body = JSON.stringify({ tool_id: `${SOURCE}:${tool}`, arguments: {} });
    lines.push("", "$ curl $QUARTERMASTER/api/agents/tools/call \\", `    -d '${body}'`);
    await film.terminal(lines);
    await film.hold(900);
    const answer = await fetch(`${origin}/api/agents/tools/call`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
    const { status, error, output } = (await answer.json()) as Answer;
    lines.push(JSON.stringify({ status, ...(error === undefined ? { output } : { error: error.code }) }));
    await film.terminal(lines);
    await film.hold(1500);
  }
  await film.terminal(null);
}

async function showLog(page: Page, film: Film): Promise<void> {
  await film.open("/admin/executions");
  const row = page.getByRole("table", { name: "Executions" }).getByRole("row").filter({ hasText: "refund-order" });
  await row.waitFor();
  await film.say("Log", "Every call is logged with its reason", 1800);
  await film.click(row.getByRole("link").first());
  await page.getByText("As decided under revision").waitFor();
  await film.say("Log", "… and the decision can be proved later", 3500);
}

await build();
const orders = await serveOrders();
const upstream = `127.0.0.1:${(orders.address() as AddressInfo).port}`;
const server = await startOwnServer(["--empty"], undefined, { OUTBOUND_ALLOW: upstream });
const browser = await startBrowser();
try {
  const page = await openSignedIn(browser, server, { viewport: SIZE });
  const key = await prepare(page, server.baseUrl);
  const film = await Film.of(page);
  await showImport(page, film, `http://${upstream}/openapi.json`);
  await showPolicy(page, film);
  await showPreview(page, film);
  await showCall(film, server.baseUrl, key);
  await showLog(page, film);
  const gif = await film.toGif();
  writeFileSync(join(IMAGES, "screencast.gif"), gif);
  console.log(
    `docs/images/screencast.gif: ${(film.ms / 1000).toFixed(0)} s, ${(gif.length / 1_000_000).toFixed(1)} MB`,
  );
} finally {
  await browser.close();
  await server.stop();
  orders.closeAllConnections();
  orders.close();
}
