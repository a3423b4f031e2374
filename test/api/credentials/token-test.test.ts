import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST } from "@/app/api/admin/issuers/[name]/test/route";
import { issuerInput } from "@/lib/resources/issuer";
import { revocationInput } from "@/lib/contracts/people/revocation";
import { tokenTestOutput } from "@/lib/contracts/people/token-test";
import { revokeToken } from "@/lib/store/keys/revocations";
import { stores } from "@/lib/store/config/index";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;
const at = "/api/admin/issuers/corp/test";
const params = { name: "corp" };
let corp: TestIssuer;

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  const { issuer, jwksUri } = corp;
  await stores.issuers.create(
    ADMIN,
    issuerInput.parse({ name: "corp", issuer, jwksUri, audience: "quartermaster", capabilitiesClaim: "scope" }),
  );
});
afterAll(() => corp.close());

describe("POST /api/admin/issuers/{name}/test", () => {
  it("gives any role the result of an agent's authentication, with the live keys and revocations", async () => {
    const jti = randomUUID();
    const token = await corp.token({ jti, scope: "files.read files.write" });
    const test = async () =>
      tokenTestOutput.parse((await ask(POST, "POST", at, { params, role: "auditor", body: { token } })).json);
    expect(await test()).toMatchObject({
      accepted: true,
      issuer: "corp",
      claims: { jti, sub: "subject-1" },
      capabilities: ["files.read", "files.write"],
    });
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    const { accepted, checks } = await test();
    expect(accepted).toBe(false);
    expect(checks.find(({ verdict }) => verdict === "failed")).toMatchObject({
      check: "revocation",
      says: expect.stringContaining("revoked"),
    });
  });

  it("stores no token: it is nowhere in the database, and there is no new revision", async () => {
    const read = () => database.query<{ revision: number }>("select revision from config_state");
    const before = await read();
    const token = await corp.token({ jti: randomUUID() });
    for (const text of [token, `${token}x`]) await ask(POST, "POST", at, { params, body: { token: text } });
    expect(await read()).toEqual(before);
    const tables = await database.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { name } of tables) {
      const held = await database.query(`select 1 from "${name}" as row where position($1 in row::text) > 0`, [
        token.split(".")[2]!,
      ]);
      expect([name, held.length]).toEqual([name, 0]);
    }
  });

  it.each<[string, object, string]>([
    ["no token", {}, "token"],
    ["an empty token", { token: "  " }, "token"],
    ["more than a token", { token: "x", claims: {} }, "claims"],
    ["a token far too long", { token: "x".repeat(20_001) }, "token"],
  ])("with %s is a 400 that names the field", async (_what, body, path) => {
    const got = await ask(POST, "POST", at, { params, body });
    expect([got.status, got.json.errors[0]?.path]).toEqual([400, path]);
  });

  it("of an unknown issuer is a 404", async () => {
    expect((await ask(POST, "POST", at, { params: { name: "nobody" }, body: { token: "x" } })).status).toBe(404);
  });
});
