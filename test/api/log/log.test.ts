import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { getExecution } from "@/lib/store/log/executions";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { production } from "@/lib/calls/pipeline/dependencies";
import type { JsonObject } from "@/lib/access/model/configuration";
import { toLoggedClaims } from "@/lib/audit/record/claims";
import { redact } from "@/lib/audit/record/redact";
import { callOutput } from "@/lib/contracts/agents/agent-api";
import { settingsInput } from "@/lib/resources/settings";
import { open } from "@/lib/store/keys/cipher";
import type { Runner } from "@/lib/calls/runners/runner";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { cpuMs } from "@/test/support/cpu-time";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let reader: Client;

const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };

beforeAll(async () => {
  await save(supportDocument());
  reader = new Client(await keyOf("reader"));
});

describe("the log", () => {
  it.each(["execution", "execution_outcome"])("refuses every change of %s, even by its owner", async (table) => {
    await reader.call(CALL);
    for (const sql of [`update ${table} set "callId" = 'x'`, `delete from ${table}`, `truncate ${table} cascade`])
      await expect(database.query(sql)).rejects.toThrow("append-only");
  });

  it("keeps claims once per caller, encrypted, and without the volatile ones", async () => {
    await reader.call(CALL);
    const before = await database.query("select * from execution_claims");
    await reader.call(CALL);
    const after = await database.query<{ ciphertext: string }>("select * from execution_claims");
    expect(after).toEqual(before);
    for (const { ciphertext } of after) expect(ciphertext).not.toContain("support");
  });

  it("keeps no e-mail address of a call or a session where the settings say so; its caller is answered with it", async () => {
    await save({ ...supportDocument(), settings: { redact: ["shape:email"] } });
    onTestFinished(async () => void (await save({ ...supportDocument(), settings: {} })));
    const address = "ada@example.org";
    const session = (await reader.open({ group: ["*"], question: `Who is ${address}?` })).json.session_id;
    const answer = await reader.call({
      tool_id: "builtin:json_query",
      arguments: { document: { to: address }, expression: "to" },
      session_id: session,
    });
    expect(answer.json.output).toMatchObject({ result: address });
    const row = await getExecution(answer.json.call_id, { bodies: true });
    expect(row?.arguments).toEqual({ document: { to: "[redacted]" }, expression: "to" });
    expect(JSON.stringify(row?.result)).not.toContain(address);
    expect(await database.query("select question from agent_session where id = $1", [session])).toEqual([
      { question: "Who is [redacted]?" },
    ]);
  });

  it("cuts a large result after 64 KiB and keeps its hash and size", async () => {
    const document = Array.from({ length: 9000 }, (_, n) => `entry ${n}`);
    const answer = await reader.call({ tool_id: "builtin:json_query", arguments: { document, expression: "@" } });
    expect(answer.json.status).toBe("succeeded");
    const row = await getExecution(answer.json.call_id, { bodies: true });
    expect(row?.truncated?.bytes).toBeGreaterThan(64 * 1024);
    expect(row?.truncated?.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(String(row?.result).length).toBe(64 * 1024);
    const read = callOutput.strict().parse((await reader.read(answer.json.call_id)).json);
    expect(read).toMatchObject({ status: "succeeded", truncated: { ...row?.truncated, beginning: row?.result } });
    expect(read, "half a document is no output").not.toHaveProperty("output");
  });

  it("shows no bodies to those who may not read them", async () => {
    const answer = await reader.call(CALL);
    const row = await getExecution(answer.json.call_id, { bodies: false });
    expect(row).toMatchObject({ arguments: null, result: null, claims: null, bodiesHidden: true });
  });
});

/** The reader's calls, with the runner of tools in code replaced. */
function running(runner: Runner): Client {
  const real = production();
  return new Client(reader.credential, () => ({ ...real, runners: { ...real.runners, builtin: runner } }));
}

describe("an error in a call", () => {
  it.each([
    ["what no JSON holds", 1n],
    ["what never ends", Object.assign([], { toJSON: () => JSON.parse("nothing") })],
  ])("is a failed result with its outcome when the tool answers %s", async (_what, output) => {
    const answer = await running(async () => ({
      success: true,
      output: output as never,
      upstreamMs: 1,
      attempts: 1,
    })).call(CALL);
    expect([answer.status, answer.json.status, answer.json.error?.code]).toEqual([502, "failed", "tool_failed"]);
    expect(await getExecution(answer.json.call_id, { bodies: false })).toMatchObject({ status: "failed" });
  });

  it("is a result with the code `internal` and no details when the fault is ours", async () => {
    const broken = (): never => {
      throw new TypeError("cannot read properties of the_secret_index");
    };
    const answer = await new Client(reader.credential, () => ({ ...production(), resolve: broken })).call(CALL);
    expect([answer.status, answer.json.status, answer.json.error?.code]).toEqual([500, "failed", "internal"]);
    expect(answer.text).not.toContain("secret_index");
  });

  it("keeps no secret from a tool's error, neither in the reason nor in the error", async () => {
    const error = { code: "upstream_error", message: "refused: Bearer abcdef0123456789" } as const;
    const answer = await running(async () => ({ success: false, error, upstreamMs: 1, attempts: 1 })).call(CALL);
    const row = await getExecution(answer.json.call_id, { bodies: true });
    expect(row?.reason).toBe("refused: [redacted]");
    expect(JSON.stringify(row)).not.toContain("abcdef0123456789");
  });
});

describe("claims in the log", () => {
  const claims = { sub: "a", team: "harbour" };

  it("of a key that an admin adds are masked from the next call on, for every caller", () => {
    const before = toLoggedClaims(claims, []);
    const after = toLoggedClaims({ ...claims }, ["team"]);
    expect(open("claims", before.ciphertext, before.digest)).toContain("harbour");
    expect(open("claims", after.ciphertext, after.digest)).not.toContain("harbour");
    expect(after.digest).not.toBe(before.digest);
  });

  it("can be read again, numbers beyond all numbers included", () => {
    const { ciphertext, digest } = toLoggedClaims(JSON.parse('{"sub":"a","level":1e999}') as JsonObject, []);
    expect(JSON.parse(open("claims", ciphertext, digest) ?? "")).toEqual({ sub: "a", level: null });
  });
});

describe("a process that died during a call", () => {
  it("closes an abandoned intent as interrupted, and leaves running ones", async () => {
    let intent: Parameters<ReturnType<typeof production>["writeIntent"]> | undefined;
    const real = production();
    await new Client(reader.credential, () => ({
      ...real,
      writeIntent: (...row) => ((intent = row), real.writeIntent(...row)),
    })).call(CALL);
    const [row, basis] = intent!;
    const dead = { ...row, callId: `call_${randomUUID()}`, instance: "dead" };
    const living = { ...row, callId: `call_${randomUUID()}` };
    await real.writeIntent(dead, basis);
    await real.writeIntent(living, basis);
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '40 s')`);
    expect(await reapInterrupted(new Date())).toBe(1);
    expect(await reapInterrupted(new Date())).toBe(0);
    expect(await getExecution(dead.callId, { bodies: true })).toMatchObject({
      status: "failed",
      code: "interrupted",
      error: { retryable: false },
    });
    expect(await getExecution(living.callId, { bodies: true })).toMatchObject({ status: "running" });
    expect((await reader.read(living.callId)).json.status).toBe("running");
  });
});

describe("redaction", () => {
  it.each([
    [{ password: "x", user_password: "x", accessToken: "x", "set-cookie": "x", note: "fine" }],
    [{ deep: [{ client_secret: "x" }], "API-Key": "x" }],
  ])("hides values under telling names: %j", (value) => {
    expect(JSON.stringify(redact(value))).not.toContain('"x"');
  });

  it.each([
    "Authorization: Bearer abcdefghijkl",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "eyJhbGciOiJIUzI1NiJ9 no-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "key qm_abcdefgh_ijklmnopqrstuvwxyz012345_0a1b2c3d",
    "AKIAABCDEFGHIJKLMNOP",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "postgres://user:hunter2hunter2@db/x",
    "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nsecretkeybody\n-----END RSA PRIVATE KEY-----",
    "a key that was cut: -----BEGIN PRIVATE KEY-----\nsecretkeybody",
  ])("hides secret shapes in text: %s", (text) => {
    const hidden = String(redact(text));
    expect(hidden).toContain("[redacted]");
    for (const part of ["abcdefghij", "c2lnbmF0dXJl", "hunter2"]) expect(hidden).not.toContain(part);
  });

  it("hides configured names and paths, and nothing else", () => {
    const value = { iban_like: "a", card: { number: "b", kind: "visa" }, number: "c" };
    expect(redact(value, ["ibanLike", "card.number"])).toEqual({
      iban_like: "[redacted]",
      card: { number: "[redacted]", kind: "visa" },
      number: "c",
    });
  });

  it("hides e-mail addresses where `shape:email` is configured, and not else", () => {
    const value = {
      to: "Ada <ada.lovelace+x@mail.example.org>, bob@x.io.",
      "carl@example.com": ["no address: @home, a@b, 5 @ 3.50"],
    };
    expect(redact(value)).toEqual(value);
    expect(redact(value, ["shape:email"])).toEqual({
      to: "Ada <[redacted]>, [redacted].",
      "[redacted]": ["no address: @home, a@b, 5 @ 3.50"],
    });
  });

  it("takes no other shape: it would mask nothing", () => {
    expect(settingsInput.safeParse({ redact: ["shape:email", "iban"] }).success).toBe(true);
    const [issue] = settingsInput.safeParse({ redact: ["iban", "shape:phone"] }).error!.issues;
    expect([issue?.path, issue?.message]).toEqual([["redact", 1], "is no shape: there is `shape:email`"]);
    for (const misspelt of ["Shape:email", " shape:email"])
      expect(settingsInput.safeParse({ redact: [misspelt] }).success).toBe(false);
  });

  it("stays fast on texts made to slow it", () => {
    const texts = [
      "-eyJ".repeat(60_000),
      "a://".repeat(60_000),
      "bearer ".repeat(30_000),
      "-----BEGIN PRIVATE KEY-----".repeat(38_000),
      "a".repeat(300_000),
      "a.".repeat(50_000),
      "a@a.".repeat(60_000),
      `eyJaaaaaaaa.${"-eyJaaaaaaaa".repeat(50_000)}`,
    ];
    expect(cpuMs(() => texts.map((text) => redact(text, ["shape:email"])))).toBeLessThan(2000);
  });
});
