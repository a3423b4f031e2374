import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
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
  const [secrets, cipher, requests, answers, review, people] = await Promise.all([
    import("@/lib/store/config/secrets"),
    import("@/lib/store/keys/cipher"),
    import("@/lib/store/requests/requests"),
    import("@/lib/store/requests/answer-change"),
    import("@/test/support/set-review"),
    import("@/test/support/person"),
  ]);
  const [{ reseal }, { toLoggedClaims }, { rotateKeyCommand }, { closeDatabase, db }] = await Promise.all([
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
  return { ...secrets, ...cipher, ...requests, ...answers, ...review, ...people, db, reseal, toLoggedClaims, rotate };
}
const close: (() => Promise<void>)[] = [];

const sealed = () =>
  database.query<{ id: string; text: string }>(
    "select name as id, ciphertext as text from secret union all select digest, ciphertext from execution_claims",
  );

beforeEach(async () => {
  await database.query("delete from secret");
  await database.query("delete from execution_claims");
  await database.query("delete from request");
  const first = await start(FIRST);
  await first.setReview("off");
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
    await expect(alone.readSecretValue("a")).rejects.toMatchObject({ code: "upstream_auth_failed" });
    expect((await alone.listSecrets({ limit: 2 })).items.map(({ readable }) => readable)).toEqual([false, false]);
    const both = await start(SECOND, FIRST);
    expect((await both.readSecretValue("a")).value).toBe("value-of-a");
    const done = await both.rotate();
    expect(done.code).toBe(0);
    expect(done.out).toContain("You can remove MASTER_KEY_PREVIOUS");
    expect(done.error).toContain(`claims in the log: ${COUNT} of ${COUNT} encrypted with the new key`);
    const after = await start(SECOND);
    expect((await after.readSecretValue("b")).value).toBe("value-of-b");
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
    expect(refused.error).toContain(`nor in MASTER_KEY_PREVIOUS: ${COUNT + 2}.`);
    expect(await sealed()).toEqual(before);
  });

  it("keeps a value that is set while it runs", async () => {
    const second = await start(SECOND, FIRST);
    const running = second.reseal(1);
    await running.next();
    await second.setSecret(ADMIN, "b", { value: "the-newest-one", origins: ["https://x.example"] });
    while ((await running.next()).done !== true);
    expect((await second.readSecretValue("b")).value).toBe("the-newest-one");
  });

  it("renews a secret that waits for a second person: it is usable after an approval under the new key alone", async () => {
    const first = await start(FIRST);
    const asked = await askForSecret(first, "a", "the-approved-one");
    expect((await (await start(SECOND, FIRST)).rotate()).code).toBe(0);
    const second = await start(SECOND);
    await approve(second, asked);
    expect((await second.readSecretValue("a")).value).toBe("the-approved-one");
  });

  it("reports a waiting secret of an earlier version, and an approval under both keys renews it", async () => {
    const first = await start(FIRST);
    const formerSecrets = { "0": { ciphertext: first.seal("secret", "the-former-one", "a") } };
    const asked = await askForSecret(first, "a", "unused", formerSecrets);
    const both = await start(SECOND, FIRST);
    const rotated = await both.rotate();
    expect([rotated.code, rotated.out]).toEqual([1, ""]);
    expect(rotated.error).toContain("Open requests of an earlier version that hold a secret under an older key: 1.");

    const second = await start(SECOND);
    await expect(approve(second, asked)).rejects.toMatchObject({ code: "conflict" });
    expect((await second.readSecretValue("a")).value).toBe("value-of-a");
    await approve(await start(SECOND, FIRST), asked);
    expect((await (await start(SECOND)).readSecretValue("a")).value).toBe("the-former-one");
    expect((await (await start(SECOND, FIRST)).rotate()).code).toBe(0);
  });
});

type Program = Awaited<ReturnType<typeof start>>;
type Asked = NonNullable<Awaited<ReturnType<Program["findRequest"]>>>;

/** Opens a request that sets a secret. @param secrets what an earlier version stored for it */
async function askForSecret(program: Program, name: string, value: string, secrets?: Json): Promise<Asked> {
  await database.query("delete from request");
  await program.signIn("admin");
  await program.setReview("all");
  const actor = { kind: "user", name: "admin@example.com", role: "admin" } as const;
  const input = { value, origins: ["https://x.example"] };
  await expect(program.setSecret(actor, name, input)).rejects.toMatchObject({ code: "awaits_review" });
  const asked = (await program.db().request.findFirst())!;
  if (secrets === undefined) return asked;
  await database.query("delete from request");
  const { reason, target, basis, facts, closesAt: expiresAt, personId } = asked;
  const body = program.bodyOf(asked)!;
  const request = {
    asker: { actor, personId },
    reason,
    target,
    basis,
    facts: facts as never,
    body,
    secrets,
    expiresAt,
  };
  return program.db().$transaction((tx) => program.openRequest(tx, request, new Date()));
}

async function approve(program: Program, { id, hash }: Asked): Promise<void> {
  const [name, email] = ["second", "second@example.com"];
  const { id: userId } = await program
    .db()
    .user.upsert({ where: { name }, create: { name, email, displayName: "", role: "admin" }, update: {} });
  const actor = { kind: "user", name: email, role: "admin" } as const;
  await program.approveChange(id, { hash, reason: "fine" }, { actor, userId, requestId: "req" });
}
