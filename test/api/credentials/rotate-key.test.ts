import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const ADMIN = { kind: "system", name: "test", role: "admin" } as const;
const [FIRST, SECOND, THIRD] = [7, 8, 9].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [
  string,
  string,
  string,
];
const COUNT = 25;

/** The program as it is after a start with these keys: every module anew. */
async function start(key: string, ...previous: string[]) {
  vi.stubEnv("MASTER_KEY", key);
  vi.stubEnv("MASTER_KEY_PREVIOUS", previous.join(", "));
  vi.resetModules();
  const [secrets, cipher, { reseal }, { toLoggedClaims }, { rotateKeyCommand }, { closeDatabase }] = await Promise.all([
    import("@/lib/store/config/secrets"),
    import("@/lib/store/keys/cipher"),
    import("@/lib/store/keys/reseal"),
    import("@/lib/audit/record/claims"),
    import("@/bin/commands/rotate-key"),
    import("@/lib/store/db/database"),
  ]);
  close.push(closeDatabase);
  const rotate = async () => {
    const printed = { out: "", error: "" };
    const code = await rotateKeyCommand([], {
      out: (text) => void (printed.out += text),
      error: (text) => void (printed.error += `${text}\n`),
    });
    return { code, ...printed };
  };
  return { ...secrets, ...cipher, reseal, toLoggedClaims, rotate };
}
const close: (() => Promise<void>)[] = [];

const sealed = () =>
  database.query<{ id: string; text: string }>(
    "select name as id, ciphertext as text from secret union all select digest, ciphertext from execution_claims",
  );

beforeEach(async () => {
  await database.query("delete from secret");
  await database.query("delete from execution_claims");
  const first = await start(FIRST);
  for (const name of ["a", "b"])
    await first.setSecret(ADMIN, name, { value: `value-of-${name}`, origins: ["https://x.example"] });
  for (let n = 0; n < COUNT; n += 1) {
    const { digest, ciphertext } = first.toLoggedClaims({ sub: `agent-${n}` }, []);
    await database.query("insert into execution_claims values ($1, now(), $2)", [digest, ciphertext]);
  }
});
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

describe("a rotated master key", () => {
  it("decrypts nothing old alone, everything with the previous key, and everything alone after the command", async () => {
    const alone = await start(SECOND);
    await expect(alone.useSecret("a")).rejects.toMatchObject({ code: "upstream_auth_failed" });
    expect((await alone.listSecrets({ limit: 2 })).items.map(({ readable }) => readable)).toEqual([false, false]);
    const both = await start(SECOND, FIRST);
    expect((await both.useSecret("a")).value).toBe("value-of-a");
    const done = await both.rotate();
    expect(done.code).toBe(0);
    expect(done.out).toContain("You can remove MASTER_KEY_PREVIOUS");
    expect(done.error).toContain(`claims in the log: ${COUNT} of ${COUNT} encrypted with the new key`);
    const after = await start(SECOND);
    expect((await after.useSecret("b")).value).toBe("value-of-b");
    for (const { id, text } of await sealed()) {
      expect(text.startsWith(after.currentPrefix())).toBe(true);
      expect(after.open("secret", text, id) ?? after.open("claims", text, id)).not.toBeNull();
    }
  });

  it("makes no change and no revision: no value is another", async () => {
    const count = () => database.query("select (select count(*) from revision) r, (select count(*) from change) c");
    const before = await count();
    await (await start(SECOND, FIRST)).rotate();
    expect(await count()).toEqual(before);
  });

  it("continues after an interruption, with keys of several rotations", async () => {
    const second = await start(SECOND, FIRST);
    for await (const { what, done } of second.reseal(10)) if (what === "claims in the log" && done >= 10) break;
    const again = await (await start(THIRD, SECOND, FIRST)).rotate();
    expect(again.code).toBe(0);
    const third = await start(THIRD);
    expect((await third.listSecrets({ limit: 2 })).items.every(({ readable }) => readable)).toBe(true);
    expect((await third.rotate()).error).toContain("claims in the log: 0 of 0");
  });

  it("leaves a value that no key decrypts unchanged, and reports it", async () => {
    const before = await sealed();
    const refused = await (await start(SECOND)).rotate();
    expect(refused.code).toBe(1);
    expect(refused.error).toContain(`${COUNT + 2} values are encrypted with a key`);
    expect(await sealed()).toEqual(before);
  });

  it("keeps a value that is set while it runs", async () => {
    const second = await start(SECOND, FIRST);
    const running = second.reseal(1);
    await running.next();
    await second.setSecret(ADMIN, "b", { value: "the-newest-one", origins: ["https://x.example"] });
    while ((await running.next()).done !== true);
    expect((await second.useSecret("b")).value).toBe("the-newest-one");
  });
});
