import { generateKeyPairSync } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { callbackKeySet } from "@/lib/contracts/agents/callback-keys";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const [FIRST, SECOND, THIRD, FOURTH] = [7, 8, 9, 10].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [
  string,
  string,
  string,
  string,
];

const JWKS = "http://127.0.0.1:3000/api/jwks.json";

/** The app after a start with these keys: every module is loaded anew. */
async function start(key: string, ...previous: string[]) {
  vi.stubEnv("MASTER_KEY", key);
  vi.stubEnv("MASTER_KEY_PREVIOUS", previous.join());
  vi.resetModules();
  const [{ verifyLog }, { sealSettled }, proof, trusted, { logSession }, { rotateKeyCommand }, { closeDatabase }] =
    await Promise.all([
      import("@/lib/audit/verify/verify"),
      import("@/lib/audit/seal/sealer"),
      import("@/lib/audit/verify/proof"),
      import("@/lib/audit/seal/trusted-keys"),
      import("@/lib/store/db/log-session"),
      import("@/bin/commands/rotate-key"),
      import("@/lib/store/db/database"),
    ]);
  close.push(closeDatabase);
  const published = async () => {
    const { GET } = await import("@/app/api/jwks.json/route");
    const read = async (query: string) => {
      const { keys } = callbackKeySet.parse(await (await GET(new Request(`${JWKS}${query}`))).json());
      return new Map(keys.map(({ kid, x }) => [kid, x]));
    };
    return { seals: await read("?use=seal"), callbacks: await read("") };
  };
  const rotate = () => rotateKeyCommand([], { out: () => {}, error: () => {} });
  return {
    verify: () => verifyLog({ checkpoints: [] }),
    sealSettled,
    ...proof,
    ...trusted,
    logSession,
    published,
    rotate,
  };
}
const close: (() => Promise<void>)[] = [];

/** Adds a row to the log, so that there is something to seal. */
async function addRow(callId: string): Promise<void> {
  await database.query(
    `create temp table one as select * from execution where "callId" = '${calls[0]}';
     update one set "callId" = '${callId}', "argumentsCommitment" = null, xid = pg_current_xact_id();
     insert into execution select * from one; drop table one`,
  );
}

/** Seals all rows. Rows are sealed once no transaction of other tests is older. */
async function sealAll(program: Awaited<ReturnType<typeof start>>): Promise<void> {
  for (let made = 0; made === 0;) made = (await program.sealSettled()).length;
}

let calls: string[] = [];
beforeAll(async () => {
  calls = await world.call();
  await world.seal();
});
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

describe("seals of a master key that was rotated", () => {
  it("are not trusted when no trusted key vouched for their key", async () => {
    const alone = await start(SECOND);
    expect((await alone.verify()).findings.map(({ kind }) => kind)).toContain("key_unknown");
  });

  it("are valid with both keys, and after the command with the new key alone", async () => {
    const both = await start(SECOND, FIRST);
    expect((await both.verify()).intact).toBe(true);
    expect(await both.rotate()).toBe(0);
    const after = await start(SECOND);
    await addRow("call_second");
    await sealAll(after);
    const report = await after.verify();
    expect(report).toMatchObject({ intact: true, found: 0 });
    expect(new Set((await database.query(`select "keyId" from seal`)).map(({ keyId }) => keyId)).size).toBe(2);
  });

  it("stay valid over several rotations, and prove older calls", async () => {
    expect(await (await start(THIRD, SECOND)).rotate()).toBe(0);
    const third = await start(THIRD);
    expect((await third.verify()).intact).toBe(true);
    const proof = await third.proveExecution(calls[0] ?? "");
    const trusted = await third.logSession("read", third.loadTrustedKeys);
    expect(third.problemsOfProof(proof!, trusted)).toEqual([]);
    expect(trusted.size).toBe(3);
    const { seals, callbacks } = await third.published();
    expect(third.problemsOfProof(proof!, seals)).toEqual([]);
    expect([...seals]).toEqual([...trusted]);
    // A receiver of callbacks accepts none of the removed master keys.
    expect(callbacks.size).toBe(2);
  });

  it("are not trusted for a key that an attacker inserted", async () => {
    const third = await start(THIRD);
    const { x = "" } = generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" });
    const { thumbprint, signingKeys } = await import("@/lib/store/keys/signing-keys");
    const [{ kid }] = signingKeys("seal");
    await database.query(`insert into seal_key values ($1, now(), $2, $3, 'AAAA')`, [thumbprint(x), x, kid]);
    expect((await third.logSession("read", third.loadTrustedKeys)).has(thumbprint(x))).toBe(false);
  });

  it("stay valid after a rotation back to an earlier key, although a forged row names the same two keys", async () => {
    for (const [key, previous] of [
      [SECOND, THIRD],
      [FOURTH, SECOND],
    ] as const) {
      const both = await start(key, previous);
      const { signingKeys } = await import("@/lib/store/keys/signing-keys");
      const [present, older] = signingKeys("seal");
      await database.query(`insert into seal_key values ($1, now(), $2, $3, 'AAAA')`, [
        older!.kid,
        older!.x,
        present.kid,
      ]);
      expect(await both.rotate()).toBe(0);
    }
    expect(await (await start(FOURTH)).verify()).toMatchObject({ intact: true, found: 0 });
  });
});
