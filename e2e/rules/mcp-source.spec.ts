import { askAdmin } from "@/e2e/support/admin-api";
import { expect, open, test } from "@/e2e/support/fixtures";
import { startMcpServer } from "@/test/support/servers/mcp-server";

test("a source without its server's notices says so, and gets a change after the server is back", async ({
  admin,
  server,
}) => {
  test.slow();
  const lighthouse = await startMcpServer(server.upstreamPort);
  lighthouse.tools = { lamp: { description: "Turns the lamp.", annotations: { readOnlyHint: true } } };
  try {
    await askAdmin(server, "POST", "sources", { name: "e2e-lighthouse", kind: "mcp", url: lighthouse.url });
    const { id } = await askAdmin<{ id: string }>(server, "POST", "imports", { source: "e2e-lighthouse" });
    const job = () => askAdmin<{ status: string }>(server, "GET", `imports/${id}`);
    await expect.poll(async () => (await job()).status).toBe("planned");
    await askAdmin(server, "POST", `imports/${id}/apply`, { operations: "all" });
    await expect.poll(async () => (await job()).status).toBe("applied");
    const listens = () => lighthouse.seen.filter((headers) => headers["mcp-method"] === "subscriptions/listen").length;
    await expect.poll(listens, { timeout: 30_000 }).toBeGreaterThan(0);

    lighthouse.intercept = (headers) =>
      headers["mcp-method"] === "subscriptions/listen" ? new Response(null, { status: 503 }) : null;
    lighthouse.endStreams();
    const deaf = admin.getByText("not listening", { exact: true });
    await expect(async () => {
      await open(admin, "/admin/sources/e2e-lighthouse?tab=health");
      await expect(deaf.first()).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
    await expect(admin.getByRole("main")).toContainText("Until then, only syncs find changes.");
    await open(admin, "/admin/sources");
    await expect(admin.getByRole("row", { name: /e2e-lighthouse/ })).toContainText("not listening");

    lighthouse.tools = { lamp: { description: "Turns the lamp, or breaks it." } };
    lighthouse.intercept = () => null;
    await expect(async () => {
      await open(admin, "/admin/drift?source=e2e-lighthouse");
      await expect(admin.getByRole("row", { name: /e2e-lighthouse:lamp/ })).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 60_000 });
    await open(admin, "/admin/sources/e2e-lighthouse?tab=health");
    await expect(admin.getByRole("main")).toContainText("Manual sync only");
    await expect(deaf).toHaveCount(0);
  } finally {
    await lighthouse.close();
  }
});
