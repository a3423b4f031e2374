import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { GET as readTokens, POST as createResource } from "@/app/api/admin/[resource]/route";
import { GET as readAudit } from "@/app/api/admin/audit/route";
import { closeDatabase } from "@/lib/store/db/database";
import { flushRefusals } from "@/lib/store/audit/refusals";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();
let key = "";

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
});
beforeEach(async () => {
  await flushRefusals();
  await database.query(
    "set session_replication_role = replica; delete from audit_event; reset session_replication_role",
  );
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

/** The counted refusals in the order of their text: callers that are known and strangers are counted apart. */
async function refusals(): Promise<string[]> {
  await flushRefusals();
  const rows = await database.query<{ line: string }>(
    `select action || ' ' || kind || ' ' || actor || ' ' || detail || ' ' || count as line from audit_event
     where action like 'refused.%'`,
  );
  return rows.map(({ line }) => line).toSorted();
}

it("an unreadable body of a known agent is counted under its name", async () => {
  const client = new Client(key);
  for (let number = 0; number < 2; number += 1)
    await client.call({ tool_id: "builtin:calculate", arguments: {}, nonsense: "a secret" });
  const recorded = await refusals();
  expect(recorded).toHaveLength(1);
  expect(recorded[0]).toMatch(/^refused\.body agent reader .* 2$/);
  expect(recorded[0]).not.toContain("a secret");
});

it("wrong credentials of agents are counted by address, revoked ones by agent; no credential is stored", async () => {
  const wrong = `${key.slice(0, -4)}abcd`;
  for (const held of [wrong, wrong, "not.a.token", "qmp_x"]) await new Client(held).list();
  const revoked = await keyOf("refunder");
  await database.query(`update api_key set enabled = false where agent = 'refunder'`);
  await new Client(revoked).list();
  const recorded = await refusals();
  expect(recorded).toEqual([
    "refused.credential address unknown Personal access tokens work only for the admin API 1",
    "refused.credential address unknown The API key is incomplete 2",
    "refused.credential address unknown The credential is neither an API key nor a well-formed signed token. 1",
    "refused.credential agent refunder The API key is revoked. 1",
  ]);
  expect(JSON.stringify(recorded)).not.toContain(wrong);
});

it("a request without any credential is not recorded: any stranger could fill the table", async () => {
  await ask(readAudit, "GET", "/api/admin/audit", { headers: { cookie: "" } });
  expect(await refusals()).toEqual([]);
});

it("forbidden admin requests are counted by person and permission, wrong access tokens by address", async () => {
  for (let number = 0; number < 3; number += 1)
    expect((await ask(readAudit, "GET", "/api/admin/audit", { role: "editor" })).status).toBe(403);
  const body = { name: "x", role: "admin", expiresAt: new Date(Date.now() + 1e9).toISOString() };
  await ask(createResource, "POST", "/api/admin/tokens", { role: "editor", body, params: { resource: "tokens" } });
  const request = new Request(`${ORIGIN}/api/admin/tokens`, { headers: { authorization: "Bearer qmp_wrong" } });
  await readTokens(request, { params: Promise.resolve({ resource: "tokens" }) });
  expect(await refusals()).toEqual([
    "refused.forbidden user editor@example.com needs audit:read 3",
    "refused.forbidden user editor@example.com needs people:write 1",
    "refused.session address unknown Not a personal access token. 1",
  ]);
});
