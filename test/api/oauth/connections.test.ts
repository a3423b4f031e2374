import { beforeAll, describe, expect, it } from "vitest";
import { GET as listRoute } from "@/app/api/admin/connections/route";
import { DELETE as endRoute } from "@/app/api/admin/connections/[id]/route";
import { agents } from "@/lib/store/config/agents";
import { findUserByEmail, users } from "@/lib/store/config/users";
import { endConnectionsOf } from "@/lib/store/oauth/connections";
import { sweepSignIns } from "@/lib/store/oauth/sweep";
import { readTokenKeys, rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import type { Role } from "@/lib/resources/permissions";
import { ADMIN, save, supportDocument } from "@/test/api/agents-world";
import { CLIENT, connectAs, listStatus, useGateway, refreshing, token } from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

/** The support team, in which the editor and the auditor own the agent reader. */
function ownedDocument(): Record<string, unknown> {
  const document = supportDocument() as { agents: { name: string }[] };
  const owners = ["the-editor", "the-auditor"];
  return { ...document, agents: document.agents.map((row) => (row.name === "reader" ? { ...row, owners } : row)) };
}

beforeAll(() => save(ownedDocument()));
const gateway = useGateway();

const list = (role: Role, of = "me") => ask(listRoute, "GET", `/api/admin/connections?of=${of}`, { role });
const end = (role: Role, id: string) =>
  ask(endRoute, "DELETE", `/api/admin/connections/${id}`, { role, params: { id } });
const newest = async (role: Role) => String((await list(role)).json.items[0]?.["id"]);

describe("a person", () => {
  it("sees the own connections; only those who may read people see everyone's", async () => {
    await connectAs(gateway, "reader", { role: "editor" });
    expect((await list("editor")).json).toMatchObject({
      total: 1,
      items: [{ person: "the-editor", client: CLIENT, clientName: "Test client", agent: "reader", scopes: ["tools"] }],
    });
    const consents = await database.query(`select action, actor from change where resource = 'connections'`);
    expect(consents).toEqual([{ action: "create", actor: "editor@example.com" }]);
    expect((await list("auditor")).json.total).toBe(0);
    expect((await list("auditor", "everyone")).json.total).toBe(1);
    const refused = await list("editor", "everyone");
    expect([refused.status, refused.json["permission"]]).toEqual([403, "people:read"]);
  });

  it("ends a connection: its tokens stop at once, and it is in the changes with its author", async () => {
    const { access, refresh } = await connectAs(gateway, "reader", { role: "editor" });
    expect(await listStatus(gateway, access)).toBe(200);
    const id = await newest("editor");
    expect((await end("auditor", id)).status).toBe(404);
    expect(await listStatus(gateway, access)).toBe(200);
    expect((await end("editor", id)).status).toBe(204);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
    const [change] = await database.query(
      `select action, actor from change where resource = 'connections' and "rowId" = $1 order by id desc limit 1`,
      [id],
    );
    expect(change).toEqual({ action: "delete", actor: "editor@example.com" });
  });

  it("an admin ends anybody's", async () => {
    const { access } = await connectAs(gateway, "reader", { role: "editor" });
    expect((await end("admin", await newest("editor"))).status).toBe(204);
    expect(await listStatus(gateway, access)).toBe(401);
  });

  it("consents again without a second row", async () => {
    await connectAs(gateway, "reader", { role: "editor" });
    await connectAs(gateway, "reader", { role: "editor" });
    expect((await list("editor")).json.total).toBe(1);
  });
});

describe("tokens end with what they stand for", () => {
  it("a disabled agent", async () => {
    const { access, refresh } = await connectAs(gateway, "reader");
    const { revision, createdAt: _c, updatedAt: _u, ...row } = await agents.get("reader");
    await agents.replace(ADMIN, "reader", { ...row, enabled: false }, revision);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(refresh))).status).toBe(400);
    await save(ownedDocument());
  });

  it("a disabled person", async () => {
    const { access, refresh } = await connectAs(gateway, "reader", { role: "auditor" });
    expect(await listStatus(gateway, access)).toBe(200);
    const { revision, name, email, displayName, role } = await users.get("the-auditor");
    await users.replace(ADMIN, "the-auditor", { name, email, displayName, role, enabled: false }, revision);
    expect(await listStatus(gateway, access)).toBe(401);
    expect((await token(gateway, refreshing(refresh))).status).toBe(400);
  });
});

it("whom the OpenID provider refuses loses every connection", async () => {
  const { access, refresh } = await connectAs(gateway, "reader");
  await endConnectionsOf((await findUserByEmail("admin@example.com"))?.id ?? "");
  expect(await listStatus(gateway, access)).toBe(401);
  expect((await token(gateway, refreshing(refresh))).json).toMatchObject({ error: "invalid_grant" });
});

describe("retention", () => {
  it("ends connections that received no token for 90 days, and deletes expired rows", async () => {
    const { access } = await connectAs(gateway, "reader");
    await database.query(`update connection set "lastUsedAt" = now() - interval '91 days'`);
    await database.query(`update oauth_row set "expiresAt" = now() - interval '1 second'`);
    await sweepSignIns();
    expect(await listStatus(gateway, access)).toBe(401);
    expect(await database.query(`select from oauth_row`)).toEqual([]);
  });

  it("makes a signing key at once when no master key opens the present ones", async () => {
    const before = await readTokenKeys();
    await database.query("update token_key set ciphertext = 'v1.00000000.AAAA'");
    expect(await readTokenKeys()).toEqual([]);
    await rotateTokenKeys();
    const [key] = await readTokenKeys();
    expect(before.map(({ kid }) => kid)).not.toContain(key?.kid);
    // Another process that opens it makes no third one.
    await rotateTokenKeys();
    expect(await readTokenKeys()).toHaveLength(1);
    expect(await listStatus(gateway, (await connectAs(gateway, "reader")).access)).toBe(200);
  });

  it("replaces the signing key after 30 days; tokens of the old one stay valid for a day", async () => {
    const { access } = await connectAs(gateway, "reader");
    const kids = async () => {
      const { keys } = (await (await gateway.send("/oauth/jwks")).json()) as { keys: { kid: string }[] };
      return keys.map(({ kid }) => kid);
    };
    const [old] = await kids();
    await rotateTokenKeys(new Date(Date.now() + 31 * 86_400_000));
    expect(await kids()).toHaveLength(2);
    expect(await listStatus(gateway, access)).toBe(200);
    const later = await connectAs(gateway, "reader");
    expect(await listStatus(gateway, later.access)).toBe(200);
    await rotateTokenKeys(new Date(Date.now() + 33 * 86_400_000));
    expect(await kids()).not.toContain(old);
    expect(await listStatus(gateway, access)).toBe(401);
    expect(await listStatus(gateway, later.access)).toBe(200);
  });
});
