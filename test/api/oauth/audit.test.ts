import { afterAll, beforeAll, expect, it } from "vitest";
import { GET as trailRoute } from "@/app/api/admin/audit/route";
import { DELETE as endRoute } from "@/app/api/admin/connections/[id]/route";
import { drain } from "@/lib/server/front/front";
import { clients } from "@/lib/store/config/clients";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { authorizationQuery, authorize, connectAs, openGateway, pkce, type Gateway } from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// What the audit trail shows of a connection's life. Ends by a client and second uses are in revocation.test.ts, clients that
// register themselves in registration.test.ts, identity assertions in identity-assertion.test.ts.

const database = useDatabase();
let gateway: Gateway;

beforeAll(async () => {
  const document = supportDocument() as { tools: { id: string }[] };
  const tools = document.tools.map((tool) =>
    tool.id === "builtin:calculate" ? { ...tool, requiredScopes: ["math"] } : tool,
  );
  await save({ ...document, tools });
  // The first key is a change too.
  await rotateTokenKeys();
  gateway = await openGateway();
});
afterAll(() => drain(gateway.server, 0));

interface Entry {
  readonly id: string;
  readonly kind: string;
  readonly actor: { readonly name: string };
  readonly action: string;
  readonly detail: string;
}

/** The entries that `work` adds, oldest first: kind, actor, action, and the resource of a change. */
async function during(work: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const read = async () => (await ask<{ items: Entry[] }>(trailRoute, "GET", "/api/admin/audit?limit=50")).json.items;
  const before = new Set((await read()).map(({ id }) => id));
  await work();
  const added = (await read()).filter(({ id }) => !before.has(id)).toReversed();
  return added.map(({ kind, actor, action, detail }) => [kind, actor.name, action, detail]);
}

const PERSON = "admin@example.com";

it("a consent, a wider one, a narrower one, and the end by the person are changes of the connection by that person", async () => {
  const consent = (scope: string) => () => connectAs(gateway, "reader", { scope });
  expect(await during(consent("tools"))).toEqual([["change", PERSON, "create", "connections"]]);
  expect(await during(consent("tools math"))).toEqual([["change", PERSON, "update", "connections"]]);
  expect(await during(consent("tools"))).toEqual([["change", PERSON, "update", "connections"]]);
  const [row] = await database.query<{ id: string }>("select id from connection");
  const id = String(row?.id);
  const end = () => ask(endRoute, "DELETE", `/api/admin/connections/${id}`, { params: { id } });
  expect(await during(end)).toEqual([["change", PERSON, "delete", "connections"]]);
});

it("a person who declines changes nothing", async () => {
  const decline = () => authorize(gateway, authorizationQuery(pkce().challenge), { agent: null });
  expect(await during(decline)).toEqual([]);
});

it("a client that an admin registers, disables and deletes is three changes", async () => {
  const row = { name: "plugin", description: "", enabled: true, redirectUris: [], agent: "reader", jwks: null };
  expect(await during(() => clients.create(ADMIN, row))).toEqual([["change", "test", "create", "clients"]]);
  const { revision } = await clients.get("plugin");
  const disable = () => clients.replace(ADMIN, "plugin", { ...row, enabled: false }, revision);
  expect(await during(disable)).toEqual([["change", "test", "update", "clients"]]);
  expect(await during(() => clients.remove(ADMIN, "plugin"))).toEqual([["change", "test", "delete", "clients"]]);
});
