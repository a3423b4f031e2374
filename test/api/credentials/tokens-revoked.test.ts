import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DELETE, GET, POST } from "@/app/api/admin/issuers/[name]/revocations/route";
import { POST as testToken } from "@/app/api/admin/issuers/[name]/test/route";
import { revocationInput, revocationRow } from "@/lib/contracts/people/revocation";
import { liftRevocation, listRevocations, revokeToken } from "@/lib/store/keys/revocations";
import { currentSnapshot, snapshotAt } from "@/lib/store/snapshot/snapshot";
import { restoreRevision } from "@/lib/admin/revision-diff";
import { stores } from "@/lib/store/config/index";
import { production } from "@/lib/calls/pipeline/dependencies";
import { ADMIN, Client, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };
const DAY = 24 * 60 * 60 * 1000;
let corp: TestIssuer;
let partner: TestIssuer;
let jti: string;

beforeAll(async () => {
  [corp, partner] = await Promise.all([startIssuer(), startIssuer()]);
  allowOutbound(corp.host, partner.host);
  const issuerOf = (name: string, { issuer, jwksUri }: TestIssuer) => ({
    name,
    issuer,
    audience: "quartermaster",
    jwksUri,
  });
  await save(
    supportDocument({
      issuers: [issuerOf("corp", corp), { ...issuerOf("partner", partner), maxTokenAgeSeconds: 30 * 86_400 }],
    }),
  );
});
afterAll(() => Promise.all([corp.close(), partner.close()]));
beforeEach(() => {
  jti = randomUUID();
});

const caller = async (issuer: TestIssuer, claims: Record<string, unknown>) =>
  new Client(await issuer.token({ team: "support", ...claims }));
const at = "/api/admin/issuers/corp/revocations";
const corpParams = { params: { name: "corp" } };

describe("a revoked token", () => {
  it("is refused at the very next call and list", async () => {
    const client = await caller(corp, { jti });
    expect((await client.call(CALL)).status).toBe(200);
    expect((await ask(POST, "POST", at, { ...corpParams, body: { jti } })).status).toBe(201);
    const refused = await client.call<{ detail: string }>(CALL);
    expect([refused.status, refused.json.detail]).toEqual([401, "The token has been revoked."]);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer /);
    expect((await client.list()).status).toBe(401);
  });

  it.each(["before", "after"])(
    "never runs when it is revoked during its call, %s the snapshot is taken",
    async (when) => {
      let runs = 0;
      let done = false;
      const revoke = async () => {
        if (!done) await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
        done = true;
      };
      const client = new Client(await corp.token({ team: "support", jti }), () => {
        const real = production();
        const builtin: typeof real.runners.builtin = (input) => ((runs += 1), real.runners.builtin(input));
        const snapshot: typeof real.snapshot = async (minRevision) => {
          if (when === "before") await revoke();
          const taken = await real.snapshot(minRevision);
          await revoke();
          return taken;
        };
        return { ...real, runners: { ...real.runners, builtin }, snapshot };
      });
      expect([(await client.call(CALL)).status, runs]).toEqual([401, 0]);
    },
  );

  it("without a jti is revoked by the digest of its iat and sub, which the test of a token shows; others of the subject are not", async () => {
    const iat = Math.floor(Date.now() / 1000) - 5;
    const token = await corp.token({ team: "support", sub: "no-jti", iat });
    const other = await caller(corp, { sub: "no-jti", iat: iat + 1 });
    const tested = await ask(testToken, "POST", "/api/admin/issuers/corp/test", { ...corpParams, body: { token } });
    const id = /iat-sub:[0-9a-f]{64}/.exec(JSON.stringify(tested.json))?.[0] ?? "";
    expect((await new Client(token).call(CALL)).status).toBe(200);
    expect((await ask(POST, "POST", at, { ...corpParams, body: { jti: id } })).status).toBe(201);
    expect((await new Client(token).call(CALL)).status).toBe(401);
    expect((await other.call(CALL)).status).toBe(200);
  });

  it("does not affect another issuer's token of the same jti, other tokens, or tokens without a jti", async () => {
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    for (const [issuer, claims] of [
      [partner, { jti }],
      [corp, { jti: `${jti}2` }],
      [corp, {}],
    ] as const)
      expect((await (await caller(issuer, claims)).call(CALL)).status).toBe(200);
  });

  it("stays revoked when its issuer is renamed or an older revision comes back", async () => {
    const before = (await currentSnapshot()).revision;
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    const client = await caller(corp, { jti });
    const { revision: _r, createdAt: _c, updatedAt: _u, ...row } = await stores.issuers.get("corp");
    await stores.issuers.replace(ADMIN, "corp", { ...row, name: "corp-2" }, "*");
    expect((await client.call(CALL)).status).toBe(401);
    await restoreRevision(ADMIN, before);
    expect((await client.call(CALL)).status).toBe(401);
    expect(await listRevocations("corp")).toContainEqual(expect.objectContaining({ jti }));
  });

  it("is accepted again when the revocation is lifted, or has run out", async () => {
    const client = await caller(corp, { jti });
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    await liftRevocation(ADMIN, "corp", jti);
    expect((await client.call(CALL)).status).toBe(200);
    const yesterday = new Date(Date.now() - 2 * DAY);
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }), yesterday);
    expect((await client.call(CALL)).status).toBe(200);
  });
});

describe("a revocation", () => {
  it("is one revision with actor and time, and leaves the snapshot at the first revision after its expiry", async () => {
    const { revision } = await currentSnapshot();
    const start = new Date();
    const row = revocationRow.parse(
      (await ask(POST, "POST", at, { ...corpParams, body: { jti, reason: "laptop lost" } })).json,
    );
    expect(row).toMatchObject({ jti, by: "admin@example.com", reason: "laptop lost" });
    expect(Date.parse(row.until) - start.getTime()).toBeGreaterThanOrEqual(DAY);
    const key = JSON.stringify([corp.issuer, jti]);
    const then = await currentSnapshot(revision + 1);
    expect([then.revision, then.revocations.get(key)]).toEqual([revision + 1, row.until]);
    const later = new Date(Date.parse(row.until) + 10 * 60_000);
    await revokeToken(ADMIN, "partner", revocationInput.parse({ jti: randomUUID() }), later);
    expect((await currentSnapshot(revision + 2)).revocations.has(key)).toBe(false);
    expect((await snapshotAt(revision + 1)).revocations.get(key)).toBe(row.until);
    const changes = await database.query("select action, actor from change where after->>'jti' = $1", [jti]);
    expect(changes).toEqual([{ action: "create", actor: "admin@example.com" }]);
  });

  it("without an end lasts as long as any token of its issuer", async () => {
    const { until } = await revokeToken(ADMIN, "partner", revocationInput.parse({ jti }));
    expect(Date.parse(until)).toBeGreaterThan(Date.now() + 29 * DAY);
  });

  it("made twice lasts for the longer of the two", async () => {
    const until = new Date(Date.now() + 3 * DAY).toISOString();
    await revokeToken(ADMIN, "corp", { jti, until, reason: "" });
    const again = await ask(POST, "POST", at, { ...corpParams, body: { jti } });
    expect([again.status, again.json["until"]]).toEqual([201, until]);
    const earlier = new Date(Date.parse(until) - 3_600_000 + 14 * 3_600_000).toISOString().replace("Z", "+14:00");
    expect((await revokeToken(ADMIN, "corp", { jti, until: earlier, reason: "" })).until).toBe(until);
    const longest = new Date(Date.now() + 4 * DAY).toISOString();
    expect((await revokeToken(ADMIN, "corp", { jti, until: longest, reason: "" })).until).toBe(longest);
  });

  it("is listed until it expires, and lifted by its jti", async () => {
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    await revokeToken(ADMIN, "corp", { jti: `${jti}-old`, until: null, reason: "" }, new Date(Date.now() - 2 * DAY));
    const { items } = (await ask(GET, "GET", at, { ...corpParams, role: "auditor" })).json;
    const listed = revocationRow.array().parse(items);
    expect(listed.map((row) => row.jti)).toContain(jti);
    expect(listed.map((row) => row.jti)).not.toContain(`${jti}-old`);
    expect((await ask(DELETE, "DELETE", `${at}?jti=${jti}`, corpParams)).status).toBe(204);
    expect((await ask(DELETE, "DELETE", `${at}?jti=${jti}`, corpParams)).status).toBe(404);
  });

  it.each<[string, object, string]>([
    ["no jti", {}, "jti"],
    ["an empty jti", { jti: "" }, "jti"],
    ["a time that has passed", { jti: "x", until: "2020-01-01T00:00:00Z" }, "until"],
    ["no time", { jti: "x", until: "tomorrow" }, "until"],
    ["a reason too long", { jti: "x", reason: "x".repeat(501) }, "reason"],
    ["the token itself", { jti: "x", token: "ey" }, "token"],
    ["half of a surrogate pair", { jti: "\ud800" }, "jti"],
    ["a NUL character", { jti: "\0" }, "jti"],
  ])("with %s is a 400 that names the field", async (_what, body, path) => {
    const got = await ask(POST, "POST", at, { ...corpParams, body });
    expect([got.status, got.json.errors[0]?.path]).toEqual([400, path]);
  });

  it("of an unknown issuer is a 404", async () => {
    for (const [handler, method, query] of [
      [GET, "GET", ""],
      [POST, "POST", ""],
      [DELETE, "DELETE", "?jti=x"],
    ] as const) {
      const sent = { params: { name: "nobody" }, ...(method === "POST" && { body: { jti: "x" } }) };
      expect((await ask(handler, method, `${at}${query}`, sent)).status).toBe(404);
    }
  });

  it("takes a jti of any length that the endpoints accept", async () => {
    const long = "\u{1d11e}".repeat(256);
    expect((await ask(POST, "POST", at, { ...corpParams, body: { jti: long } })).status).toBe(201);
    expect((await (await caller(corp, { jti: long })).call(CALL)).status).toBe(401);
  });
});
