import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFront, answerNotFound } from "@/lib/server/front/front";
import { findAgentRoute } from "@/lib/server/routes";
import { tokens } from "@/lib/store/people/tokens";
import { ADMIN, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

/** Set before the environment is first read. */
const METRICS_TOKEN = "metrics-token-of-this-test";
process.env["METRICS_TOKEN"] = METRICS_TOKEN;

let front: Server;
let origin = "";

beforeAll(async () => {
  await save(supportDocument());
  front = createFront(findAgentRoute, answerNotFound);
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  origin = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
});

afterAll(() => {
  front.closeAllConnections();
  front.close();
});

const ask = (headers: Record<string, string> = {}) => fetch(`${origin}/api/metrics`, { headers });

describe("permission to read metrics", () => {
  it("this machine, the holder of METRICS_TOKEN and a personal access token may", async () => {
    const { token } = await tokens.create(ADMIN, { name: "scraper", role: "auditor", expiresAt: null, enabled: true });
    for (const headers of [{}, { authorization: `Bearer ${METRICS_TOKEN}` }, { authorization: `Bearer ${token}` }])
      expect((await ask(headers)).status).toBe(200);
    await database.query("update token set enabled = false where name = 'scraper'");
    expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(401);
  });

  it.each<Record<string, string>>([
    { "x-forwarded-for": "203.0.113.7" },
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "" },
    { forwarded: "for=203.0.113.7" },
    { "x-real-ip": "203.0.113.7" },
    { via: "1.1 proxy" },
    { authorization: `Bearer ${METRICS_TOKEN}x` },
    { authorization: "Bearer " },
    { authorization: METRICS_TOKEN },
    { authorization: "Basic YTpi" },
  ])("what came through a proxy, or with a wrong credential, is refused: %o", async (headers) => {
    const response = await ask(headers);
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect(await response.json()).toMatchObject({ code: "unauthenticated" });
  });

  it("an agent's key is refused, and a host name that an attacker controls is refused", async () => {
    expect((await ask({ authorization: `Bearer ${await keyOf("reader", "scraping")}` })).status).toBe(401);
    const handler = findAgentRoute("/api/metrics")!.methods.GET!;
    const asked = (url: string, peer?: string) =>
      handler(new Request(url), { params: Promise.resolve({}), ...(peer !== undefined && { peer }) });
    expect((await asked("http://localhost:3000/api/metrics", "::ffff:127.0.0.1")).status).toBe(200);
    expect((await asked("http://rebound.example:3000/api/metrics", "127.0.0.1")).status).toBe(401);
    expect((await asked("http://127.0.0.1:3000/api/metrics", "10.0.0.7")).status).toBe(401);
    // Next cannot tell whose request it is.
    expect((await asked("http://127.0.0.1:3000/api/metrics")).status).toBe(401);
  });
});
