import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createFront, answerNotFound } from "@/lib/server/front/front";
import { findAgentRoute } from "@/lib/server/routes";
import { apiKeys } from "@/lib/store/config/api-keys";
import { ADMIN, Client, keyOf, save, supportDocument, type List } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

useDatabase();
/** Other instances' lists follow within 2 s (docs/reference/promises.md#immediacy); and some for a busy machine. */
const DELIVERED_MS = 2_000 + 1_500;
let front: Server;
let origin: string;
let reader: string;
let stranger: string;

beforeAll(async () => {
  await save(supportDocument());
  reader = await keyOf("reader");
  stranger = await keyOf("stranger");
  front = createFront(findAgentRoute, answerNotFound);
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});
afterEach(() => void vi.restoreAllMocks());
afterAll(async () => {
  front.closeAllConnections();
  front.close();
});

/** An issuer whose tokens the endpoints accept. */
async function trusted(given?: TestIssuer, change: object = {}): Promise<TestIssuer> {
  const issuer = given ?? (await startIssuer());
  allowOutbound(issuer.host);
  const { issuer: iss, jwksUri } = issuer;
  await save({
    apiVersion: "quartermaster/v1",
    issuers: [{ name: "corp", issuer: iss, audience: "quartermaster", jwksUri, ...change }],
  });
  return issuer;
}

interface StreamEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: Record<string, unknown>;
}

/** A stream over a real connection, and its events so far. */
async function listen(credential: string, query = "") {
  const leave = new AbortController();
  const response = await fetch(`${origin}/api/agents/stream${query}`, {
    headers: { authorization: `Bearer ${credential}` },
    signal: leave.signal,
  });
  const events: StreamEvent[] = [];
  const ended = read(response, events).catch(() => {});
  return { response, events, ended, leave: () => leave.abort() };
}

async function read(response: Response, events: StreamEvent[]): Promise<void> {
  let rest = "";
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      if (block.startsWith(":")) continue;
      const fields = Object.fromEntries(
        block
          .split("\n")
          .map((line): [string, string] => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      events.push({ event: fields["event"] ?? "", id: fields["id"], data: JSON.parse(fields["data"] ?? "") });
    }
  }
}

async function listed(credential: string, query = "") {
  const answer = await fetch(`${origin}/api/agents/tools${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  return { etag: answer.headers.get("etag"), list: (await answer.json()) as List };
}

/** Grants the support team another group, or takes it away. */
async function grant(groups: readonly string[]): Promise<void> {
  const { policies } = supportDocument() as { policies: { name: string }[] };
  await save({
    apiVersion: "quartermaster/v1",
    policies: policies.map((policy) => (policy.name === "support-staff" ? { ...policy, groups } : policy)),
  });
}

describe("a stream of the caller's list", () => {
  it.each(["", "?format=anthropic&group=helpers", "?listing=search"])(
    "begins with `connected` and the list that is answered without a stream (%s)",
    async (query) => {
      const { events, leave, response } = await listen(reader, query);
      await vi.waitUntil(() => events.length === 2);
      const { etag, list } = await listed(reader, query);
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(events).toEqual([
        {
          event: "connected",
          data: { request_id: response.headers.get("x-request-id"), revision: list.revision },
        },
        { event: "tool_list", id: etag, data: list },
      ]);
      leave();
    },
  );

  it("reports a change within 2 s to callers whose list changed, with the new list, and to no others", async () => {
    await grant(["support-read", "helpers"]);
    const changed = await listen(reader);
    const same = await listen(stranger);
    const elsewhere = await listen(reader, "?group=helpers");
    await grant(["support-read", "helpers", "tickets"]);
    await vi.waitUntil(() => changed.events.length === 3, { timeout: DELIVERED_MS });
    const { etag, list } = await listed(reader);
    expect(list.data.map(({ name }) => name)).toContain("close_ticket");
    expect(changed.events[2]).toEqual({ event: "tool_list", id: etag, data: { reason: "update", ...list } });
    await grant(["support-read", "helpers"]);
    await vi.waitUntil(() => changed.events.length === 4, { timeout: DELIVERED_MS });
    expect(changed.events[3]?.id).toBe(changed.events[1]?.id);
    expect([same.events.length, elsewhere.events.length]).toEqual([2, 2]);
    for (const { leave } of [changed, same, elsewhere]) leave();
  });

  it("reports a transition of its session", async () => {
    const worker = new Client(await keyOf("worker"));
    const { session_id } = (await worker.open({ group: ["*"] })).json;
    const { events, leave } = await listen(worker.credential, `?session_id=${session_id}`);
    await vi.waitUntil(() => events.length === 2);
    const moved = await worker.call({ tool_id: "support:lookup_customer", arguments: { query: "ada" }, session_id });
    expect(moved.json.status).toBe("succeeded");
    await vi.waitUntil(() => events.length === 3, { timeout: DELIVERED_MS });
    expect([events[1]?.data["state"], events[2]?.data["state"]]).toEqual(["triage", "investigating"]);
    leave();
  });

  it("ends within 2 s when its key is revoked, and states the reason", async () => {
    const { events, ended } = await listen(await keyOf("reader", "short-lived"));
    await apiKeys.remove(ADMIN, "short-lived");
    const began = Date.now();
    await ended;
    expect(Date.now() - began).toBeLessThan(DELIVERED_MS);
    expect(events.at(-1)).toMatchObject({ event: "closed", data: { code: "unauthenticated" } });
  });

  it("ends within 10 min when the key that signed its token is removed, and no other stream does", async () => {
    const issuer = await trusted();
    const exp = Math.floor(Date.now() / 1000) + 3_600;
    await issuer.rotate();
    const [first, second] = issuer.keys;
    const old = await listen(await issuer.token({ team: "support", exp }, { key: first! }));
    const fresh = await listen(await issuer.token({ team: "support", exp }, { key: second! }));
    issuer.keys.shift();
    const clock = Date.now;
    let later = 0;
    vi.spyOn(Date, "now").mockImplementation(() => clock() + later);
    const isClosed = () => old.events.at(-1)?.event === "closed";
    // A minute more at each look.
    await vi.waitUntil(() => isClosed() || ((later += 60_000), false), { interval: 600, timeout: 30_000 });
    expect(later).toBeLessThanOrEqual(10 * 60_000);
    expect(old.events.at(-1)?.data["code"]).toBe("unauthenticated");
    await grant(["helpers"]);
    await vi.waitUntil(() => fresh.events.some(({ data }) => data["reason"] === "update"), { timeout: 15_000 });
    fresh.leave();
    await issuer.close();
  }, 60_000);

  it("ends within 2 s when its issuer is disabled, or its rules no longer accept the token", async () => {
    const issuer = await trusted();
    for (const change of [{ enabled: false }, { algorithms: ["RS256"] }]) {
      await trusted(issuer);
      const { events, ended } = await listen(await issuer.token({ team: "support" }));
      await trusted(issuer, change);
      const began = Date.now();
      await ended;
      expect(Date.now() - began).toBeLessThan(DELIVERED_MS);
      expect(events.at(-1)).toMatchObject({ event: "closed", data: { code: "unauthenticated" } });
    }
    await issuer.close();
  });

  it("ends when its token expires", async () => {
    const issuer = await trusted();
    const exp = Math.floor(Date.now() / 1000) + 2;
    const { events, ended } = await listen(await issuer.token({ team: "support", exp }));
    await ended;
    expect(events.at(-1)).toMatchObject({ event: "closed", data: { code: "unauthenticated" } });
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000);
    expect(Date.now()).toBeLessThan(exp * 1000 + DELIVERED_MS);
    await issuer.close();
  });

  it.each([
    ["?session_id=nobody's", 404, "session_not_found"],
    ["?search=refund", 400, "invalid_request"],
    ["?format=native&defer_loading=true", 400, "invalid_request"],
  ])("refuses %s before it begins", async (query, status, code) => {
    const answer = await fetch(`${origin}/api/agents/stream${query}`, {
      headers: { authorization: `Bearer ${reader}` },
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code });
  });

  it("is one of 1,000 on one instance: a change reaches all affected callers within 2 s, and no others", async () => {
    await grant(["support-read", "helpers"]);
    const streams = await Promise.all(
      Array.from({ length: 1_000 }, (_, number) => listen(number % 2 === 0 ? reader : stranger)),
    );
    await vi.waitUntil(() => streams.every(({ events }) => events.length === 2), { timeout: 10_000 });
    await grant(["support-read", "helpers", "tickets"]);
    const updated = () => streams.filter(({ events }) => events.length === 3).length;
    await vi.waitUntil(() => updated() === 500, { timeout: DELIVERED_MS });
    await grant(["support-read", "helpers"]);
    await vi.waitUntil(() => streams.filter(({ events }) => events.length === 4).length === 500, {
      timeout: DELIVERED_MS,
    });
    expect(streams.filter(({ events }) => events.length === 2)).toHaveLength(500);
    for (const { leave } of streams) leave();
  }, 30_000);
});
