import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { listTools } from "@/lib/agents/rest/tools";
import { mintApiKey } from "@/lib/store/keys/credentials";
import { apiKeys } from "@/lib/store/config/api-keys";
import { stores } from "@/lib/store/config/index";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
let corp: TestIssuer;

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  const document = supportDocument();
  await save({
    ...document,
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
    agents: [
      ...(document["agents"] as object[]),
      { name: "bound", issuer: "corp", subject: "bound-1", attributes: { team: "support" } },
    ],
    policies: [
      ...(document["policies"] as object[]),
      {
        name: "staff",
        matchers: [{ claim: "realm_access.roles", operator: "contains", value: "staff" }],
        groups: ["helpers"],
      },
      {
        name: "own",
        matchers: [{ claim: "qm.agent.team", operator: "equals", value: "support" }],
        groups: ["tickets"],
      },
    ],
  });
});
afterAll(() => corp.close());

async function list(
  credential: string | null,
  query = "",
): Promise<{ status: number; count: number; detail: string; challenge: string | null }> {
  const headers = credential === null ? {} : { authorization: `Bearer ${credential}` };
  const response = await listTools(new Request(`http://127.0.0.1:3000/api/agents/tools${query}`, { headers }));
  const body = (await response.json()) as { count?: number; detail?: string };
  return {
    status: response.status,
    count: body.count ?? -1,
    detail: body.detail ?? "",
    challenge: response.headers.get("www-authenticate"),
  };
}

describe("a token at the agents' endpoints", () => {
  it("lists what its claims grant, and nothing without them", async () => {
    const staff = await list(await corp.token({ realm_access: { roles: ["staff"] } }));
    expect(staff.status).toBe(200);
    expect(staff.count).toBeGreaterThan(0);
    expect(await list(await corp.token())).toMatchObject({ status: 200, count: 0 });
  });

  it("of a registered agent lists what the agent's attributes grant, and no other caller can claim them", async () => {
    const bound = await list(await corp.token({ sub: "bound-1" }));
    expect(bound.count).toBeGreaterThan(0);
    expect(await list(await corp.token({ qm: { agent: { team: "support" } } }))).toMatchObject({
      status: 200,
      count: 0,
    });
  });

  it("of another issuer, expired or in the address is 401 with a challenge", async () => {
    const now = Math.floor(Date.now() / 1000);
    const token = await corp.token();
    for (const answer of [
      await list(null),
      await list(await corp.token({ iss: "https://other.example" })),
      await list(await corp.token({ exp: now - 31 })),
      await list(null, `?access_token=${token}`),
      await list(token, `?access_token=${token}`),
    ]) {
      expect(answer.status).toBe(401);
      expect(answer.challenge).toMatch(/^Bearer /);
    }
  });

  it("is refused at the very next request after its agent or its issuer was disabled", async () => {
    const token = await corp.token({ sub: "bound-1" });
    expect((await list(token)).status).toBe(200);
    const { revision: _r, createdAt: _c, updatedAt: _u, ...agent } = await stores.agents.get("bound");
    await stores.agents.replace(ADMIN, "bound", { ...agent, enabled: false }, "*");
    expect((await list(token)).status).toBe(401);
    await stores.agents.replace(ADMIN, "bound", agent, "*");
    expect((await list(token)).status).toBe(200);
    const { revision: _s, createdAt: _d, updatedAt: _v, ...issuer } = await stores.issuers.get("corp");
    await stores.issuers.replace(ADMIN, "corp", { ...issuer, enabled: false }, "*");
    expect((await list(token)).status).toBe(401);
    await stores.issuers.replace(ADMIN, "corp", issuer, "*");
  });
});

describe("an API key at the agents' endpoints", () => {
  let key: string;
  beforeEach(async () => {
    await database.query("truncate api_key");
    ({ key } = await apiKeys.create(ADMIN, { name: "k", agent: "reader", expiresAt: null, enabled: true }));
  });

  const swapAt = (text: string, index: number) =>
    `${text.slice(0, index)}${text[index] === "a" ? "b" : "a"}${text.slice(index + 1)}`;

  it("lists what its agent's attributes grant", async () => {
    const answer = await list(key);
    expect(answer.status).toBe(200);
    expect(answer.count).toBeGreaterThan(0);
  });

  it("with any character changed is refused by its checksum", async () => {
    for (const index of [3, 10, 20, 40, key.length - 1]) expect((await list(swapAt(key, index))).status).toBe(401);
    for (const text of [`${key}x`, key.slice(0, -1), key.toUpperCase(), "qm_", "qm___"])
      expect((await list(text)).status).toBe(401);
  });

  it("that is unknown is answered exactly like one with another secret", async () => {
    const unknown = mintApiKey().key;
    const other = mintApiKey();
    await database.query(`update api_key set "keyId" = $1`, [other.keyId]);
    const wrong = await list(other.key);
    expect(wrong.status).toBe(401);
    expect(await list(unknown)).toEqual(wrong);
  });

  it("is refused at the very next request after it was revoked, deleted or has expired", async () => {
    expect((await list(key)).status).toBe(200);
    const row = { name: "k", agent: "reader", expiresAt: null, enabled: true };
    await apiKeys.replace(ADMIN, "k", { ...row, enabled: false }, "*");
    expect(await list(key)).toMatchObject({ status: 401, detail: expect.stringContaining("revoked") });
    await apiKeys.replace(ADMIN, "k", { ...row, expiresAt: new Date(Date.now() - 1000).toISOString() }, "*");
    expect(await list(key)).toMatchObject({ status: 401, detail: expect.stringContaining("expired") });
    await apiKeys.remove(ADMIN, "k", "*");
    expect(await list(key)).toMatchObject({ status: 401, detail: expect.stringContaining("not valid") });
  });

  it("of a disabled agent is refused", async () => {
    const { revision: _r, createdAt: _c, updatedAt: _u, ...agent } = await stores.agents.get("reader");
    await stores.agents.replace(ADMIN, "reader", { ...agent, enabled: false }, "*");
    expect(await list(key)).toMatchObject({ status: 401, detail: expect.stringContaining("disabled") });
    await stores.agents.replace(ADMIN, "reader", agent, "*");
  });

  it("cannot be given another identity by its agent's attributes", async () => {
    const { revision: _r, createdAt: _c, updatedAt: _u, ...agent } = await stores.agents.get("stranger");
    const attributes = { ...agent.attributes, sub: "reader", iss: corp.issuer };
    await stores.agents.replace(ADMIN, "stranger", { ...agent, attributes }, "*");
    const made = await apiKeys.create(ADMIN, { name: "s", agent: "stranger", expiresAt: null, enabled: true });
    const { agent: authenticate } = await import("@/lib/auth/agents/agent");
    const request = new Request("http://127.0.0.1:3000/", { headers: { authorization: `Bearer ${made.key}` } });
    expect(await authenticate()(request)).toMatchObject({
      claims: { sub: "stranger", iss: "quartermaster" },
      principal: { issuer: "quartermaster", subject: "stranger", agent: "stranger" },
      credential: { kind: "api_key" },
    });
  });
});
