import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { endListWatches, watchList } from "@/lib/agents/streams/watch-list";
import { agent } from "@/lib/auth/agents/agent";
import { apiKeys } from "@/lib/store/config/api-keys";
import { ADMIN, Client as RestClient, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, ERAS, serveMcp, statelessMessage, type Era, type McpEndpoint } from "@/test/api/mcp-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
/** Milliseconds within which a stream must report a change, with reserve for a busy machine. */
const DELIVERED_MS = 2_000 + 1_500;
const NO_SUMS = { name: "no-sums", when: ["private"], restrict: [{ tool: "builtin:calculate" }] };
let endpoint: McpEndpoint;
let reader: string;
let stranger: string;

beforeAll(async () => {
  await save(supportDocument());
  reader = await keyOf("reader");
  stranger = await keyOf("stranger");
  endpoint = await serveMcp();
});
afterAll(async () => {
  await endpoint.close();
});

/** A client that counts the notices about its list. */
async function listening(credential: string, era: Era, query = "") {
  let notices = 0;
  const options = {
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => void (notices += 1) } },
  };
  const before = endpoint.streams();
  const opened = await connect(endpoint, { credential, era, query, options });
  // The client opens the stream by itself during the first answers.
  await vi.waitUntil(() => endpoint.streams() > before);
  return { ...opened, notices: () => notices };
}

/** Grants the support team another group, or takes it away. */
async function grant(groups: readonly string[]): Promise<void> {
  const { policies } = supportDocument() as { policies: { name: string }[] };
  await save({
    apiVersion: "quartermaster/v1",
    policies: policies.map((policy) => (policy.name === "support-staff" ? { ...policy, groups } : policy)),
  });
}

describe.each(ERAS)("in the era of %s", (era) => {
  it("a change of the list is reported within 2 s to callers whose list changed, and to no others", async () => {
    await grant(["support-read", "helpers"]);
    const changed = await listening(reader, era);
    const same = await listening(stranger, era);
    const elsewhere = await listening(reader, era, "?group=helpers");
    await grant(["support-read", "helpers", "tickets"]);
    await vi.waitUntil(() => changed.notices() === 1, { timeout: 2_000 });
    expect((await changed.client.listTools()).tools.map(({ name }) => name)).toContain("close_ticket");
    await grant(["support-read", "helpers"]);
    await vi.waitUntil(() => changed.notices() === 2, { timeout: 2_000 });
    expect([same.notices(), elsewhere.notices()]).toEqual([0, 0]);
    await Promise.all([changed, same, elsewhere].map(({ client }) => client.close()));
  });

  it("a step of its session changes a caller's list too", async () => {
    const worker = await keyOf("worker", `worker-${era}`);
    const rest = new RestClient(worker);
    const { session_id } = (await rest.open({ group: ["*"] })).json;
    const { client, notices } = await listening(worker, era, `?session_id=${session_id}`);
    const moved = await client.callTool({ name: "lookup_customer", arguments: { query: "ada" } });
    expect(moved.isError).toBeUndefined();
    await vi.waitUntil(() => notices() === 1, { timeout: 2_000 });
    await client.close();
  });

  it("a label that a call raises changes the lists of its caller, and no others", async () => {
    await database.query("delete from held_label");
    await save({ apiVersion: "quartermaster/v1", flows: [NO_SUMS] });
    const changed = await listening(reader, era);
    const same = await listening(await keyOf("worker", `same-${era}`), era);
    await changed.client.callTool({ name: "lookup_customer", arguments: { query: "ada" } });
    await vi.waitUntil(() => changed.notices() === 1, { timeout: 2_000 });
    expect((await changed.client.listTools()).tools.map(({ name }) => name)).not.toContain("calculate");
    expect(same.notices()).toBe(0);
    await Promise.all([changed, same].map(({ client }) => client.close()));
    await save({ apiVersion: "quartermaster/v1", flows: [{ ...NO_SUMS, active: false }] });
  });
});

it("a client of 2025-11-25 that reconnects hears once of a change that it has missed, and of nothing else", async () => {
  await grant(["support-read", "helpers"]);
  const { client, notices } = await listening(reader, "2025-11-25");
  await client.listTools();
  const reconnected = async (change: () => Promise<void>) => {
    const before = endpoint.streams();
    endListWatches();
    await change();
    await vi.waitUntil(() => endpoint.streams() > before, { timeout: 10_000 });
  };
  await reconnected(async () => {});
  await reconnected(() => grant(["helpers"]));
  await vi.waitUntil(() => notices() === 1, { timeout: 5_000 });
  await reconnected(async () => {});
  await grant(["support-read", "helpers"]);
  await vi.waitUntil(() => notices() > 1, { timeout: 5_000 });
  expect(notices()).toBe(2);
  await client.close();
});

describe("a stream of changes", () => {
  const stream = (credential: string) =>
    fetch(`${endpoint.origin}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${credential}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "subscriptions/listen",
      },
      body: JSON.stringify(statelessMessage("subscriptions/listen", { notifications: { toolsListChanged: true } })),
    });

  it("begins with a byte and its acknowledgement at once", async () => {
    const answer = await stream(reader);
    const chunks = answer.body!.getReader();
    const read = async () => new TextDecoder().decode((await chunks.read()).value);
    let text = "";
    while (!text.includes("notifications/subscriptions/acknowledged")) text += await read();
    expect(text.startsWith(": open\n\n")).toBe(true);
    await chunks.cancel();
  });

  it("ends within 2 s when its key is revoked", async () => {
    const key = await keyOf("reader", "short-lived");
    const answer = await stream(key);
    const ended = answer.text();
    await apiKeys.remove(ADMIN, "short-lived");
    const began = Date.now();
    await ended;
    expect(Date.now() - began).toBeLessThan(DELIVERED_MS);
    expect((await stream(key)).status).toBe(401);
  });

  it("ends when its token expires", async () => {
    const issuer = await startIssuer();
    allowOutbound(issuer.host);
    const { issuer: iss, jwksUri } = issuer;
    await save({
      apiVersion: "quartermaster/v1",
      issuers: [{ name: "corp", issuer: iss, audience: "quartermaster", jwksUri, algorithms: ["ES256"] }],
    });
    const exp = Math.floor(Date.now() / 1000) + 2;
    const answer = await stream(await issuer.token({ team: "support", exp }));
    expect(answer.status).toBe(200);
    await answer.text();
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
    expect(Date.now()).toBeLessThan(exp * 1000 + DELIVERED_MS);
    await issuer.close();
  });

  it("is one of 2,000 that a principal may have open", async () => {
    const caller = await agent()(
      new Request(`${endpoint.origin}/mcp`, { headers: { authorization: `Bearer ${await keyOf("refunder")}` } }),
    );
    const quiet = { stated: {}, sessionId: null, requestId: "test", changed: () => {}, ended: () => {} };
    const watches = await Promise.all(Array.from({ length: 2_000 }, () => watchList({ caller, ...quiet })));
    await expect(watchList({ caller, ...quiet })).rejects.toMatchObject({ code: "quota_exceeded" });
    for (const { stop } of watches) stop();
    (await watchList({ caller, ...quiet })).stop();
  });

  it("gets a change although another stream fails to end", async () => {
    await grant(["support-read", "helpers"]);
    const callerOf = (credential: string) =>
      agent()(new Request(`${endpoint.origin}/mcp`, { headers: { authorization: `Bearer ${credential}` } }));
    const quiet = { stated: {}, sessionId: null, requestId: "test", ended: () => {} };
    let heard = 0;
    const fails = () => {
      throw new Error("the connection is lost");
    };
    const broken = await watchList({ caller: await callerOf(reader), ...quiet, changed: fails, ended: fails });
    const { stop } = await watchList({ caller: await callerOf(reader), ...quiet, changed: () => (heard += 1) });
    await grant(["support-read", "helpers", "tickets"]);
    await vi.waitFor(() => expect(heard).toBe(1), { timeout: 2_000 });
    await grant(["support-read", "helpers"]);
    await vi.waitFor(() => expect(heard).toBe(2), { timeout: 2_000 });
    for (const end of [broken.stop, stop]) end();
  });

  it("gets a change within 2 s, among 1,000 others", async () => {
    await grant(["support-read", "helpers"]);
    const request = new Request(`${endpoint.origin}/mcp`, { headers: { authorization: `Bearer ${reader}` } });
    const caller = await agent()(request);
    let heard = 0;
    const watch = {
      caller,
      stated: {},
      sessionId: null,
      requestId: "test",
      changed: () => (heard += 1),
      ended: () => {},
    };
    const watches = await Promise.all(Array.from({ length: 1_000 }, () => watchList(watch)));
    await grant(["support-read", "helpers", "tickets"]);
    await vi.waitFor(() => expect(heard).toBe(1_000), { timeout: 2_000 });
    for (const { stop } of watches) stop();
  });
});
