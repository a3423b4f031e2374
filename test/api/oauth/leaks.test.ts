import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { OAUTH_PATHS } from "@/lib/agents/oauth/paths";
import * as oauthRows from "@/lib/store/oauth/oauth-rows";
import { save, supportDocument } from "@/test/api/agents-world";
import {
  answerAs,
  authorizationQuery,
  authorize,
  begin,
  cookieHeader,
  listStatus,
  useGateway,
  pkce,
  redemption,
  refreshing,
  token,
} from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";

// Where codes and tokens could leak, and how long they live (RFC 9700, 4.2, 4.3, 4.9, 4.12 and 4.14). attacks.test.ts looks for
// them in the tables.

// The tests read everything that the program logs, so it logs at the most verbose level.
process.env["LOG_LEVEL"] = "trace";
const lines: string[] = [];

const database = useDatabase();
beforeAll(() => save(supportDocument()));
const gateway = useGateway();
beforeEach(() => {
  lines.length = 0;
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    lines.push(String(text));
    return true;
  });
  return () => void write.mockRestore();
});

const freshCode = async () => {
  const { challenge, verifier } = pkce();
  const sent = await authorize(gateway, authorizationQuery(challenge), { agent: "reader" });
  return { code: sent.searchParams.get("code") ?? "", verifier };
};

it("the log holds no code, verifier, token or cookie, whether requests succeed, are refused or fail", async () => {
  const { challenge, verifier } = pkce();
  const { uid, cookies } = await begin(gateway, authorizationQuery(challenge));
  const { location } = (await (await answerAs(uid, { agent: "reader", cookies })).json()) as { location: string };
  const back = await gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
  const code = new URL(back.headers.get("location") ?? "").searchParams.get("code") ?? "";
  await token(gateway, { ...redemption(code, verifier), code_verifier: pkce().verifier });
  const first = await token(gateway, redemption(code, verifier));
  const [access, refresh] = [String(first.json["access_token"]), String(first.json["refresh_token"])];
  expect(await listStatus(gateway, access)).toBe(200);
  const second = await token(gateway, refreshing(refresh));
  const successor = String(second.json["refresh_token"]);

  const failing = vi.spyOn(oauthRows, "findOAuthRow").mockRejectedValueOnce(new TypeError("The code has a fault."));
  onTestFinished(() => failing.mockRestore());
  expect((await token(gateway, refreshing(successor))).status).toBe(500);

  await database.query(`update oauth_row set "consumedAt" = "consumedAt" - interval '6 seconds'`);
  expect((await token(gateway, refreshing(refresh))).status).toBe(400);
  expect(await listStatus(gateway, access)).toBe(401);
  await gateway.send(OAUTH_PATHS.revocation, { method: "POST", body: new URLSearchParams({ token: successor }) });

  const text = lines.join("");
  expect(text).toContain("The code has a fault.");
  for (const secret of [uid, code, verifier, access, refresh, successor]) {
    expect(secret.length).toBeGreaterThan(20);
    expect(text).not.toContain(secret);
  }
});

it("the redirect that carries the code is a 303, which nobody stores and whose address no further page learns", async () => {
  const { uid, cookies } = await begin(gateway, authorizationQuery(pkce().challenge));
  const { location } = (await (await answerAs(uid, { agent: "reader", cookies })).json()) as { location: string };
  const back = await gateway.send(location, { headers: { cookie: cookieHeader(cookies) } });
  expect(back.headers.get("location")).toContain("code=");
  expect([back.status, back.headers.get("referrer-policy"), back.headers.get("cache-control")]).toEqual([
    303,
    "no-referrer",
    "no-store",
  ]);
});

describe("a credential that nobody uses", () => {
  const secondsLeft = async (model: string) => {
    const [row] = await database.query<{ seconds: number }>(
      `select max(extract(epoch from "expiresAt" - now()))::float as seconds from oauth_row where model = $1`,
      [model],
    );
    return row?.seconds ?? 0;
  };
  const expire = (model: string) =>
    database.query(`update oauth_row set "expiresAt" = now() - interval '1 second' where model = $1`, [model]);

  it("expires: a code after 60 s, a refresh token after 30 days", async () => {
    const late = await freshCode();
    expect(await secondsLeft("AuthorizationCode")).toBeLessThanOrEqual(60);
    await expire("AuthorizationCode");
    expect((await token(gateway, redemption(late.code, late.verifier))).json).toMatchObject({ error: "invalid_grant" });

    const { code, verifier } = await freshCode();
    const { json } = await token(gateway, redemption(code, verifier));
    const seconds = await secondsLeft("RefreshToken");
    expect([seconds > 29.9 * 86_400, seconds <= 30 * 86_400]).toEqual([true, true]);
    await expire("RefreshToken");
    const refused = await token(gateway, refreshing(String(json["refresh_token"])));
    expect(refused.json).toMatchObject({ error: "invalid_grant" });
  });
});
