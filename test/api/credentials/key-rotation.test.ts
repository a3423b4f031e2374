import { beforeEach, describe, expect, it } from "vitest";
import { DELETE, POST } from "@/app/api/admin/api-keys/[name]/rotate/route";
import { PUT } from "@/app/api/admin/[resource]/[id]/route";
import { rememberKeys } from "@/lib/auth/agents/remembered-keys";
import { agentInput } from "@/lib/resources/agent";
import { apiKeyCreated, apiKeyRotation } from "@/lib/resources/api-key";
import { apiKeys, findApiKey, rotateApiKey } from "@/lib/store/config/api-keys";
import { stores } from "@/lib/store/config/index";
import { Client } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const at = "/api/admin/api-keys/k/rotate";
const params = { name: "k" };
let first: string;

beforeEach(async () => {
  await database.query("truncate api_key, agent");
  await database.query("delete from change where resource = 'api-keys'");
  await stores.agents.create(ADMIN, agentInput.parse({ name: "bot" }));
  ({ key: first } = await apiKeys.create(ADMIN, { name: "k", agent: "bot", expiresAt: null, enabled: true }));
});

/** Whether the agents' endpoints accept a key, that many milliseconds from now. */
const isAccepted = (key: string, later = 0) =>
  // Of a revision that nothing was read under.
  rememberKeys(findApiKey)(
    key,
    { revision: 1, issuers: new Map(), agents: new Map(), revocations: new Map() },
    Date.now() + later,
  ).then(
    () => true,
    () => false,
  );

const rotate = async (overlapHours: number) =>
  apiKeyCreated.parse((await ask(POST, "POST", at, { params, body: { overlapHours } })).json);

describe("a rotated API key", () => {
  it("is accepted at once, and the old one until the overlap ends", async () => {
    const start = Date.now();
    const { key, previousUntil, previousLastFour, lastFour, expiresAt } = await rotate(2);
    expect(key).not.toBe(first);
    expect([previousLastFour, lastFour]).toEqual([first, key].map((text) => text.split("_")[2]?.slice(-4)));
    expect(Math.round((Date.parse(previousUntil!) - start) / HOUR)).toBe(2);
    expect(Math.round((Date.parse(expiresAt) - start) / DAY)).toBe(90);
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([true, true]);
    expect([await isAccepted(key, 2 * HOUR - 60_000), await isAccepted(first, 2 * HOUR - 60_000)]).toEqual([
      true,
      true,
    ]);
    expect([await isAccepted(key, 2 * HOUR + 60_000), await isAccepted(first, 2 * HOUR + 60_000)]).toEqual([
      true,
      false,
    ]);
  });

  it("makes calls until the overlap ends, under the old one as under the new", async () => {
    const { key } = await rotate(2);
    const statuses = async () => {
      const answers = [];
      for (const one of [first, key])
        answers.push((await new Client(one).call({ tool_id: "no:such", arguments: {} })).json.error?.code);
      return answers;
    };
    expect(await statuses()).toEqual(["tool_not_available", "tool_not_available"]);
    await database.query(`update api_key set "previousUntil" = now() - interval '1 second'`);
    expect(await statuses()).toEqual([undefined, "tool_not_available"]);
  });

  it("refuses the old one at once when it is revoked, and with no overlap", async () => {
    const { key } = await rotate(2);
    expect((await ask(DELETE, "DELETE", at, { params })).status).toBe(204);
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([true, false]);
    expect((await ask(DELETE, "DELETE", at, { params })).status).toBe(404);
    const next = await rotate(0);
    expect(next.previousUntil).toBeNull();
    expect([await isAccepted(next.key), await isAccepted(key)]).toEqual([true, false]);
    expect(await database.query(`select "previousHash" from api_key`)).toEqual([{ previousHash: null }]);
  });

  it("leaves one older key at most: a second rotation ends the overlap of the first", async () => {
    const second = await rotate(24);
    const third = await rotate(24);
    expect([await isAccepted(third.key), await isAccepted(second.key), await isAccepted(first)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("never lengthens the life of the old one", async () => {
    const soon = new Date(Date.now() + HOUR).toISOString();
    await database.query(`update api_key set "expiresAt" = $1`, [soon]);
    expect((await rotate(24)).previousUntil).toBe(soon);
    await database.query(`update api_key set "expiresAt" = now() - interval '1 minute'`);
    const { key, previousKeyId } = await rotate(24);
    expect([previousKeyId, await isAccepted(key)]).toEqual([null, true]);
  });

  it("ends both keys when the name expires, however long the overlap was to be", async () => {
    const { key } = await rotate(24);
    await database.query(`update api_key set "expiresAt" = now() - interval '1 second'`);
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([false, false]);
  });

  it("ends with its name: disabled or deleted, neither key is accepted", async () => {
    const { key, revision } = await rotate(24);
    const disabled = await ask(PUT, "PUT", "/api/admin/api-keys/k", {
      params: { resource: "api-keys", id: "k" },
      headers: { "if-match": `"${revision}"` },
      body: { name: "k", agent: "bot", enabled: false },
    });
    expect(disabled.status).toBe(200);
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([false, false]);
    expect((await ask(POST, "POST", at, { params, body: {} })).status).toBe(409);
    await database.query("update api_key set enabled = true");
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([true, true]);
    await apiKeys.remove(ADMIN, "k");
    expect([await isAccepted(key), await isAccepted(first)]).toEqual([false, false]);
  });

  it("is one change row with who, and neither key nor hash is in the history", async () => {
    const { key } = await rotate(24);
    const rows = await database.query<{ text: string }>(
      `select row_to_json(change)::text as text from change where resource = 'api-keys' and action = 'update'`,
    );
    expect(rows).toHaveLength(1);
    const { hash } = (await findApiKey(key.split("_")[1]!))!;
    expect(rows[0]?.text).toContain("admin@example.com");
    for (const secret of [key, first, key.split("_")[2]!, Buffer.from(hash).toString("hex"), "Hash"])
      expect(rows[0]?.text).not.toContain(secret);
  });

  it("takes effect at the requested instant, to the millisecond", async () => {
    const now = new Date(Date.now() + 30 * DAY);
    const { previousUntil } = await rotateApiKey(ADMIN, "k", apiKeyRotation.parse({ overlapHours: 168 }), now);
    const end = now.getTime() + 168 * HOUR;
    expect(Date.parse(previousUntil!)).toBe(end);
    expect([await isAccepted(first, end - 1 - Date.now()), await isAccepted(first, end + 50 - Date.now())]).toEqual([
      true,
      false,
    ]);
  });

  it.each<[string, object, string]>([
    ["an overlap longer than a week", { overlapHours: 169 }, "overlapHours"],
    ["a negative overlap", { overlapHours: -1 }, "overlapHours"],
    ["an expiry that has passed", { expiresAt: "2020-01-01T00:00:00Z" }, "expiresAt"],
    ["a key of its own", { key: "qm_x" }, "key"],
  ])("with %s is a 400 that names the field, and nothing changes", async (_what, body, path) => {
    const got = await ask(POST, "POST", at, { params, body });
    expect([got.status, got.json.errors[0]?.path]).toEqual([400, path]);
    expect(await isAccepted(first)).toBe(true);
  });

  it("of an unknown name is a 404", async () => {
    const sent = { params: { name: "nobody" } };
    expect((await ask(POST, "POST", at, { ...sent, body: {} })).status).toBe(404);
    expect((await ask(DELETE, "DELETE", at, sent)).status).toBe(404);
  });
});
