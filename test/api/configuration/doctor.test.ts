import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { checkSignIn } from "@/bin/commands/doctor/check-sign-in";
import { runCommand } from "@/bin/quartermaster.ts";
import { issuerInput } from "@/lib/resources/issuer";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { issuers } from "@/lib/store/config/issuers";
import { setSecret } from "@/lib/store/config/secrets";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly says: string;
  readonly todo?: string;
}

async function doctor() {
  const out: string[] = [];
  const code = await runCommand(["doctor", "--json"], {
    out: (text) => out.push(text),
    error: (text) => out.push(text),
  });
  const findings = JSON.parse(out.join("\n")) as Finding[];
  return {
    code,
    checks: [...new Set(findings.map(({ check }) => check))],
    of: (check: string) => findings.filter((finding) => finding.check === check),
  };
}

const undo: string[] = [];
afterEach(async () => {
  for (const sql of undo.splice(0)) await database.query(sql);
});

describe("the doctor", () => {
  test("reports a healthy installation as fine, and names missing parts", async () => {
    await world.call();
    await world.seal();
    const { code, checks, of } = await doctor();
    expect(code).toBe(0);
    const fine = [
      "database",
      "speed",
      "migrations",
      "clock",
      "secrets",
      "keys",
      "issuers",
      "sign-in",
      "linked-accounts",
    ];
    expect(checks).toEqual([...fine, "seals", "processes"]);
    for (const check of fine) expect(of(check)).toMatchObject([{ state: "ok" }]);
    expect(of("seals")).toMatchObject([
      { state: "ok", says: expect.stringContaining("Sealed up to seal") },
      {
        state: "warning",
        says: expect.stringContaining("no checkpoint store"),
        todo: expect.stringContaining("CHECKPOINT"),
      },
      {
        state: "warning",
        says: expect.stringContaining("RESET ROLE"),
        todo: expect.stringContaining("docs/audit.md"),
      },
    ]);
  });

  test("names a source where nobody can link an account, accounts that ended, and refreshes that failed", async () => {
    const auth = JSON.stringify({
      mode: "user",
      resource: "http://127.0.0.1:1",
      issuer: null,
      scope: "",
      clientId: null,
    });
    undo.push("delete from linked_account", "delete from source where name = 'mail'");
    await database.query(`insert into source (name, kind, url, auth, limits, revision, "createdAt", "updatedAt")
      values ('mail', 'openapi', null, '${auth}', '{}', 1, now(), now())`);
    await database.query(`insert into linked_account
      ("personId", source, origin, issuer, scope, "linkedAt", "refreshFailedAt", "grant")
      values (gen_random_uuid(), 'mail', 'http://127.0.0.1:1', 'http://127.0.0.1:1', '', now(), now(), 'sealed'),
        (gen_random_uuid(), 'mail', 'http://127.0.0.1:1', 'http://127.0.0.1:1', '', now(), null, null)`);
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("linked-accounts")).toMatchObject([
      {
        state: "problem",
        says: expect.stringContaining("Nobody can link an account of mail: 127.0.0.1:1 did not answer"),
      },
      { state: "warning", says: "The last refresh of 1 linked accounts of mail failed." },
      { state: "warning", says: "The upstream of mail has ended 1 linked accounts." },
    ]);
  });

  test("names a migration that the database lacks, and one that it does not know", async () => {
    const [last] = await database.query<{ name: string }>(
      "select migration_name as name from _prisma_migrations order by migration_name desc limit 1",
    );
    const renamed = "29991231000000_of_a_later_version";
    undo.push(`update _prisma_migrations set migration_name = '${last!.name}' where migration_name = '${renamed}'`);
    await database.query(
      `update _prisma_migrations set migration_name = '${renamed}' where migration_name = '${last!.name}'`,
    );
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("migrations")).toMatchObject([
      { state: "problem", says: `The database lacks ${last!.name}.`, todo: expect.stringContaining("npm run migrate") },
      { state: "warning", says: expect.stringContaining(renamed) },
    ]);
  });

  test.each([
    [-25, "problem", 1],
    [25, "problem", 1],
    [5, "warning", 0],
  ])("says that this clock is wrong by %i s", async (seconds, state, exit) => {
    const clock = Date.now;
    const skewed = vi.spyOn(Date, "now").mockImplementation(() => clock() + seconds * 1_000);
    onTestFinished(() => skewed.mockRestore());
    const { code, of } = await doctor();
    expect(code).toBe(exit);
    const says = expect.stringMatching(
      new RegExp(`differ by ${Math.abs(seconds) - 1}\\.\\d|differ by ${Math.abs(seconds)}\\.\\d`),
    );
    expect(of("clock")).toEqual([{ check: "clock", state, says, todo: expect.stringContaining("NTP") }]);
  });

  test.each([
    [300, "warning", 0],
    [1_200, "problem", 1],
  ])("says that a database which takes %i ms for each answer is slow", async (milliseconds, state, exit) => {
    let now = 0;
    const slow = vi.spyOn(performance, "now").mockImplementation(() => (now += milliseconds));
    onTestFinished(() => slow.mockRestore());
    const { code, of } = await doctor();
    expect(code).toBe(exit);
    const says = `The database answers in ${milliseconds}.0 ms.`;
    expect(of("speed")).toEqual([{ check: "speed", state, says, todo: expect.stringContaining("Check the load") }]);
    expect(of("migrations")).toMatchObject([{ state: "ok" }]);
  });

  test("counts the values that no given key decrypts", async () => {
    await setSecret(ADMIN, "crm", { value: "a secret of a test", origins: ["https://x.example"] });
    await database.query("update secret set ciphertext = 'v1.another.' || split_part(ciphertext, '.', 3)");
    undo.push("delete from secret");
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("secrets")).toMatchObject([{ state: "problem", says: expect.stringContaining("1 secrets") }]);
  });

  test("reports a key for tokens that no job replaced", async () => {
    await rotateTokenKeys(new Date(Date.now() - 40 * 86_400_000));
    const { of } = await doctor();
    expect(of("sign-in")).toMatchObject([{ state: "warning", says: expect.stringContaining("40 days old") }]);
    await rotateTokenKeys();
    expect((await doctor()).of("sign-in")).toMatchObject([{ state: "ok" }]);
  });

  test("reports a public address at which clients refuse to sign in", async () => {
    expect(await checkSignIn(new Date(), "http://tools.example")).toMatchObject([
      {
        state: "problem",
        says: expect.stringContaining("http://tools.example, because it is not https"),
        todo: expect.stringContaining("NEXTAUTH_URL"),
      },
    ]);
    for (const address of ["https://tools.example", "http://localhost:3000", "http://127.0.0.1:3000"])
      expect(await checkSignIn(new Date(), address)).toMatchObject([{ state: "ok" }]);
  });

  test("reports an issuer whose keys cannot be fetched", async () => {
    const issuer = "https://gone.example";
    const given = { name: "gone", issuer, audience: "quartermaster", jwksUri: "http://127.0.0.1:9/keys" };
    await issuers.create(ADMIN, issuerInput.parse(given));
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("issuers")).toMatchObject([
      { state: "problem", says: expect.stringMatching(/^gone: .*cannot be fetched/) },
    ]);
  });

  test("reports an issuer without a usable key, and why", async () => {
    const keys = [{ kty: "RSA", kid: "short", n: "AQAB", e: "AQAB" }];
    const given = { name: "weak", issuer: "https://weak.example", audience: "quartermaster", jwks: { keys } };
    await issuers.create(ADMIN, issuerInput.parse(given));
    const { of } = await doctor();
    expect(of("issuers")).toContainEqual(
      expect.objectContaining({
        state: "problem",
        says: "weak: no usable key stored with the issuer; `short` (RSA), left out: RSA of 17 bits, 2048 to 8192 are accepted.",
      }),
    );
  });

  test("reports unsealed rows", async () => {
    await database.query(
      `insert into execution ("callId", "instance", "requestId", "at", "door", "issuer", "subject", "claimsDigest", "asked", "revision", "request")
       values ('call_old', 'gone', 'r', now() - interval '10 minutes', 'rest', 'i', 's', 'd', 'a', 1, '{}')`,
    );
    const { code, of } = await doctor();
    expect(code).toBe(1);
    expect(of("seals")[0]).toMatchObject({ state: "problem", says: expect.stringContaining("are not sealed") });
  });

  test("names a MASTER_KEY and secrets that are over a year old", async () => {
    undo.push(`set session_replication_role = replica; update seal set at = now(); reset session_replication_role`);
    await world.call();
    await world.seal();
    await database.query(
      `set session_replication_role = replica; update seal set at = now() - interval '400 days'; reset session_replication_role`,
    );
    await setSecret(
      ADMIN,
      "old-one",
      { value: "of long ago", origins: ["https://x.example"] },
      { now: new Date(2020, 1, 1) },
    );
    const { of } = await doctor();
    expect(of("keys")).toMatchObject([
      { state: "warning", says: expect.stringContaining("in use since"), todo: expect.stringContaining("rotate-key") },
      { state: "warning", says: expect.stringContaining("old-one") },
    ]);
  });
});
