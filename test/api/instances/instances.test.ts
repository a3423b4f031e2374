import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { POST as APPROVE } from "@/app/api/admin/approvals/[id]/approve/route";
import { GET as BREAKER } from "@/app/api/admin/sources/[name]/breaker/route";
import { POST as RESET } from "@/app/api/admin/sources/[name]/breaker/reset/route";
import { apiKeys } from "@/lib/store/config/api-keys";
import { ADMIN, keyOf, type Got, type List } from "@/test/api/agents-world";
import { follow, grant, of, Remote, until, type Called } from "@/test/api/instances-world";
import { atEach, startShopInstances, type ShopInstances } from "@/test/api/instances/shop-instances";
import { initialize, post, statelessMessage } from "@/test/api/mcp-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// Three real processes on one database, each over a separate proxy; this process is the fourth, where changes are saved.

vi.setConfig({ testTimeout: 90_000 });
const database = useDatabase();
/** Other instances follow within 2 s (docs/reference/promises.md#immediacy); and some for a busy machine. */
const DELIVERED_MS = 2_000 + 3_000;
const READS = ["support-read", "helpers"];
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
let { instances, shop, key, readers, close } = {} as ShopInstances;

beforeAll(async () => {
  ({ instances, shop, key, readers, close } = await startShopInstances(database.url));
});
beforeEach(async () => followed(await grant(READS)));
afterAll(() => close());

/** The lists of all instances, once they are those of a revision: 2 s later at most. */
function followed(revision: number): Promise<List[]> {
  const look = async () => {
    const lists = await Promise.all(readers.map((reader) => reader.list()));
    expect(lists.map(({ json }) => json.revision)).toEqual(Array(3).fill(revision));
    return lists.map(({ json }) => json);
  };
  return vi.waitFor(look, { timeout: DELIVERED_MS, interval: 20 });
}

/** Notices do not reach the second instance while `work` runs, and it does not know. */
async function deaf(work: () => Promise<void>): Promise<void> {
  const { wire } = instances.all[1];
  wire.hush("quartermaster-listen");
  try {
    await work();
  } finally {
    wire.mend();
  }
}

describe("a saved change", () => {
  it("decides every later call on every instance, with or without a notice", () =>
    deaf(async () => {
      for (let round = 0; round < 5; round += 1) {
        await grant(["resolution"]);
        const refused = await Promise.all(readers.map((reader) => reader.call(CALCULATE)));
        expect(refused.map(({ json }) => json.error?.code)).toEqual(Array(3).fill("tool_not_available"));
        await grant(READS);
        const ran = await Promise.all(readers.map((reader) => reader.call(CALCULATE)));
        expect(ran.map(({ json }) => json.status)).toEqual(Array(3).fill("succeeded"));
      }
    }));

  it("is in the list of every instance within 2 s, with or without a notice", () =>
    deaf(async () => {
      for (const json of await followed(await grant([...READS, "tickets"])))
        expect(json.data.map(({ name }) => name)).toContain("close_ticket");
    }));

  it("reaches every stream whose list it changes within 2 s, and no other stream", async () => {
    const stranger = await keyOf("stranger");
    const session = await initialize(instances.all[0], key);
    const subscribe = statelessMessage("subscriptions/listen", { notifications: { toolsListChanged: true } });
    const streams = await Promise.all(
      instances.all.flatMap((instance) => [
        new Remote(instance, key).follow("stream"),
        post(instance, key, subscribe, LISTEN).then(follow),
        listen(instance.origin, session).then(follow),
      ]),
    );
    const same = await Promise.all(atEach(instances, stranger).map((remote) => remote.follow("stream")));
    const begun = /event: tool_list|acknowledged|: open/;
    await until(() => [...streams, ...same].every(({ text }) => begun.test(text())));
    const before = same.map(({ text }) => text());
    await grant([...READS, "tickets"]);
    const isUpdated = ({ text }: (typeof streams)[number]) => /"reason":"update"|tools\/list_changed/.test(text());
    await vi.waitUntil(() => streams.every(isUpdated), { timeout: DELIVERED_MS });
    expect(same.map(({ text }) => text())).toEqual(before);
    await Promise.all([...streams, ...same].map(({ leave }) => leave()));
  });

  it("that revokes an API key is in force everywhere within 2 s, for requests and for streams", async () => {
    const remotes = atEach(instances, await keyOf("reader", "short-lived"));
    const streams = await Promise.all(remotes.map((remote) => remote.follow("stream")));
    await until(() => streams.every(({ text }) => text().includes("event: tool_list")));
    await apiKeys.remove(ADMIN, "short-lived");
    const calls = await Promise.all(remotes.map((remote) => remote.call(CALCULATE)));
    expect(calls.map(({ status }) => status)).toEqual([401, 401, 401]);
    const refused = async () => {
      const lists = await Promise.all(remotes.map((remote) => remote.list()));
      expect(lists.map(({ status }) => status)).toEqual([401, 401, 401]);
      for (const { text } of streams) expect(text()).toContain("event: closed");
    };
    await vi.waitFor(refused, { timeout: DELIVERED_MS, interval: 20 });
  });
});

describe("limits and stored calls", () => {
  it("a rate and a concurrency limit count the calls of all instances", async () => {
    const scarce = await Promise.all([...readers, ...readers].map((reader) => reader.call(of("scarce"))));
    expect(scarce.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429, 429, 429]);
    const release = shop.hold();
    const running = readers.slice(0, 2).map((reader) => reader.call(of("pair")));
    await until(() => shop.arrived("/pair") === 2);
    expect((await readers[2].call(of("pair"))).status).toBe(429);
    release();
    for (const { json } of await Promise.all(running)) expect(json.status).toBe("succeeded");
    expect((await readers[2].call(of("pair"))).status).toBe(200);
  });

  it("a call accepted by one instance is run once by any, and followed and read at the others", async () => {
    const release = shop.hold();
    const { json } = await readers[0].call({ ...of("order"), mode: "async" });
    const events = await readers[1].follow(`calls/${json.call_id}/events`);
    const polled = readers[2].read(json.call_id, "?wait=30");
    await until(() => shop.arrived("/order") === 1);
    release();
    expect((await polled).json).toMatchObject({ call_id: json.call_id, status: "succeeded", output: { done: true } });
    await until(() => /event: result\n.*"succeeded"/.test(events.text()));
    expect(shop.arrived("/order")).toBe(1);
  });

  it("an idempotency key is one for all instances: the call runs once, and its answer is anybody's to give", async () => {
    const release = shop.hold();
    const headers = { "idempotency-key": "across" };
    const answered: Got<Called>[] = [];
    const call = async (reader: Remote) => void answered.push(await reader.call(of("replace"), headers));
    const calls = readers.map(call);
    await until(() => answered.length === 2);
    expect(answered.map(({ json }) => json.error?.code)).toEqual(Array(2).fill("idempotency_conflict"));
    release();
    await Promise.all(calls);
    const again = await Promise.all(readers.map((reader) => reader.call(of("replace"), headers)));
    for (const { json } of again) expect(json).toEqual(answered[2]!.json);
    expect(shop.arrived("/replace")).toBe(1);
  });

  it("a call that waits for an approval at one instance continues at any instance after it", async () => {
    const { json, status } = await readers[0].call(of("confirmed"));
    expect([status, json.status]).toEqual([202, "awaiting_approval"]);
    expect((await readers[1].read(json.call_id)).json.status).toBe("awaiting_approval");
    const polled = readers[2].read(json.call_id, "?wait=30");
    const path = `/api/admin/approvals/${json.call_id}/approve`;
    expect((await ask(APPROVE, "POST", path, { body: {}, params: { id: json.call_id } })).status).toBe(200);
    expect((await polled).json).toMatchObject({ status: "succeeded", output: { done: true } });
    expect(shop.arrived("/confirmed")).toBe(1);
  });

  it("twelve steps of one session at once, through three instances, lose none and move none twice", async () => {
    const walkers = atEach(instances, await keyOf("walker"));
    const { session_id } = (await walkers[0].open({ group: ["*"] })).json;
    const asked = { ...of("ask"), session_id };
    const steps = await Promise.all([...walkers, ...walkers, ...walkers, ...walkers].map((one) => one.call(asked)));
    expect(steps.map(({ json }) => json.status)).toEqual(Array(12).fill("succeeded"));
    const after = steps.map(({ json }) => json.state.after);
    for (const state of ["one", "two", "three"]) expect(after.filter((reached) => reached === state)).toHaveLength(4);
    for (const walker of walkers) expect((await walker.session(session_id)).json.state).toBe("one");
  });

  it("of six concurrent calls of one session through three instances, only one takes the single transition", async () => {
    const buyers = atEach(instances, await keyOf("buyer"));
    const { session_id } = (await buyers[0].open({ group: ["*"] })).json;
    const before = shop.arrived("/replace");
    const release = shop.hold();
    const calls = [...buyers, ...buyers].map((buyer) => buyer.call({ ...of("replace"), session_id }));
    await until(() => shop.arrived("/replace") > before);
    release();
    const ended = (await Promise.all(calls)).map(({ json }) => json.error?.code ?? json.status);
    expect(ended.toSorted()).toEqual(["succeeded", ...Array<string>(5).fill("tool_not_available")]);
    expect(shop.arrived("/replace")).toBe(before + 1);
    for (const buyer of buyers) expect((await buyer.session(session_id)).json.state).toBe("used");
  });

  it("a session of MCP opened at one instance is served, given up and ended at the others", async () => {
    const [a, b, c] = instances.all;
    const session = await initialize(a, key);
    const headers = { "mcp-protocol-version": "2025-11-25", "mcp-session-id": session };
    const message = (method: string, params: object) => ({ jsonrpc: "2.0", id: 7, method, params });
    expect(await (await post(b, key, message("tools/list", {}), headers)).text()).toContain("calculate");
    const release = shop.hold();
    const before = shop.arrived("/ask");
    const called = await post(c, key, message("tools/call", { name: "ask", arguments: {} }), headers);
    await until(() => shop.arrived("/ask") === before + 1);
    const given = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    await post(b, key, given, headers);
    await called.text();
    release();
    const outcomes = `select o.status from execution_outcome o join execution e using ("callId") where e."toolId" = 'shop:ask' order by o.at desc limit 1`;
    expect(await database.query(outcomes)).toEqual([{ status: "cancelled" }]);
    const auth = { ...headers, authorization: `Bearer ${key}` };
    expect((await fetch(`${b.origin}/mcp`, { method: "DELETE", headers: auth })).status).toBe(204);
    expect((await post(a, key, message("tools/list", {}), headers)).status).toBe(404);
  });

  it("a breaker is each instance's own: administrators see which are open, and close all of them", async () => {
    const failing = of("order");
    const path = { params: { name: "shop" } };
    const seen = async () => (await ask(BREAKER, "GET", "/api/admin/sources/shop/breaker", path)).json;
    // Five failures open a breaker, of which three of one caller count.
    const strangers = atEach(instances, await keyOf("stranger", "failing-stranger"));
    shop.answer(500);
    for (const instance of [0, 1] as const) {
      for (let call = 0; call < 3; call += 1) await readers[instance].call(failing);
      for (let call = 0; call < 2; call += 1) await strangers[instance].call(failing);
    }
    await vi.waitFor(async () => expect((await seen())["instances"]).toHaveLength(2), { timeout: DELIVERED_MS });
    shop.answer(200);
    expect((await readers[0].call(failing)).json.error?.code).toBe("circuit_open");
    expect((await readers[2].call(failing)).json.status).toBe("succeeded");
    expect((await ask(RESET, "POST", "/api/admin/sources/shop/breaker/reset", path)).json["state"]).toBe("closed");
    const closed = async () => {
      const calls = await Promise.all(readers.map((reader) => reader.call(failing)));
      expect(calls.map(({ json }) => json.status)).toEqual(Array(3).fill("succeeded"));
    };
    await vi.waitFor(closed, { timeout: DELIVERED_MS });
    expect(await seen()).toMatchObject({ state: "closed", instances: [] });
  });
});

const LISTEN = { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };

/** The stream of changes of a session of MCP (2025-11-25). */
function listen(origin: string, session: string): Promise<Response> {
  const accept = { accept: "text/event-stream", "mcp-protocol-version": "2025-11-25", "mcp-session-id": session };
  return fetch(`${origin}/mcp`, { headers: { ...accept, authorization: `Bearer ${key}` } });
}
