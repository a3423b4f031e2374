import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { GET as jwks } from "@/app/api/jwks.json/route";
import { proveExecution } from "@/lib/audit/verify/proof";
import { verifyOutput, type ExecutionProof } from "@/lib/contracts/log/seal";
import { LogWorld } from "@/test/audit/log-world";
import { command, commandHere } from "@/test/support/command";
import { useDatabase } from "@/test/support/database";

// What verifies the log as an operator, a script or an auditor runs it: processes, with what they print and end with.

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "quartermaster-verify-"));
const checkpoints = join(folder, "checkpoints.jsonl");
let calls: string[] = [];

const run = (args: readonly string[]) => command(args, { DATA_DIR: folder });
const runHere = (args: readonly string[], env = {}) =>
  commandHere(args, { DATA_DIR: folder, CHECKPOINT_FILE: checkpoints, ...env });

function file(name: string, content: object): string {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(content));
  return path;
}

beforeAll(async () => {
  await world.call();
  await world.seal();
  calls = await world.call();
  await world.seal();
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("verify", () => {
  it("reports an intact log and the comparisons, and exits with 0", async () => {
    const { code, out } = await runHere(["verify"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^The log is intact\.\n12 rows and \d+ bodies \(0 erased\) under \d+ seals; 0 rows are not sealed yet\.\nThere is no checkpoint, [^\n]+\nThe app uses a role /,
      ),
    ]);
  });

  it("reports the same as JSON for a script; its last seal is a checkpoint", async () => {
    const { code, out } = await runHere(["verify", "--json"]);
    const report = verifyOutput.parse(JSON.parse(out));
    expect([code, report]).toMatchObject([0, { intact: true, rows: 12, findings: [], found: 0 }]);
    writeFileSync(checkpoints, `${JSON.stringify(report.last)}\n`);
    expect((await runHere(["verify"])).out).toContain(`seal ${report.last?.number}.`);
  });

  it("names the row that was edited, and ends with 1", async () => {
    await world.copied(["execution"], async () => {
      await database.query(`update execution set asked = 'other' where "callId" = '${calls[1]}'`);
      const { code, out } = await runHere(["verify"]);
      expect([code, out]).toEqual([1, expect.stringMatching(/^The log is not intact: 1 defect\.\n/)]);
      expect(out).toMatch(new RegExp(`^row_edited  seal \\d+  ${calls[1]}  The intent was changed\\.$`, "m"));
      const report = verifyOutput.parse(JSON.parse((await runHere(["verify", "--json"])).out));
      expect(report).toMatchObject({ intact: false, found: 1 });
    });
  });

  it("finds a rolled-back database by a copy of the checkpoint store when its own store is empty", async () => {
    const copy = join(folder, "copy.jsonl");
    writeFileSync(copy, readFileSync(checkpoints));
    await world.copied(["seal", "seal_leaves"], async () => {
      await database.query(`delete from seal_leaves where number = (select max(number) from seal);
        delete from seal where number = (select max(number) from seal)`);
      const here = { CHECKPOINT_FILE: join(folder, "lost.jsonl") };
      expect(await runHere(["verify"], here)).toMatchObject({ code: 0 });
      const { code, out } = await runHere(["verify", "--checkpoints", copy], here);
      expect([code, out]).toEqual([1, expect.stringMatching(/^rolled_back  seal \d+  The checkpoint of .* has seal/m)]);
    });
  });

  it.each([
    [["verify", "now"], "Usage: npx quartermaster verify [--checkpoints FILE]"],
    [["verify", "--deep"], "Unknown option '--deep'"],
    [["verify", "--checkpoints", "nowhere.jsonl"], "The checkpoints cannot be read: "],
  ])("%j is wrong input: a sentence, and 2", async (args, sentence) => {
    expect(await runHere(args)).toEqual({ code: 2, out: "", error: expect.stringContaining(sentence) });
  });

  it.each([undefined, ""])("without a database says what to set, and exits with 2", async (DATABASE_URL) => {
    const { code, error } = await command(["verify"], { DATABASE_URL, DATA_DIR: join(folder, "empty") });
    expect([code, error]).toEqual([
      2,
      expect.stringMatching(/There is no database in .*: run `npm start` once, or set/),
    ]);
  });
});

describe("verify-proof", () => {
  let proof: ExecutionProof;
  let keys = "";
  beforeAll(async () => {
    const answer = await jwks(new Request("http://127.0.0.1:3000/api/jwks.json"), { params: Promise.resolve({}) });
    keys = file("keys.json", (await answer.json()) as object);
    proof = (await proveExecution(calls[0] ?? ""))!;
  });
  const verify = (name: string, given: object) => run(["verify-proof", file(name, given), "--keys", keys]);

  it("shows the record's content without a database, and exits with 0", async () => {
    const { code, out } = await verify("proof.json", proof);
    expect(code).toBe(0);
    const [first, ...records] = out.trimEnd().split("\n");
    expect(first).toBe("The proof is valid. The sealed log contained:");
    expect(records).toHaveLength(2);
    expect(records[0]).toContain(`"callId":"${calls[0]}"`);
  });

  it("of a changed record, or under other keys, reports that and exits with 1", async () => {
    const [first, ...rest] = proof.records;
    const record = first!.record.replace("builtin:calculate", "builtin:calculator");
    const forged = await verify("forged.json", { ...proof, records: [{ ...first!, record }, ...rest] });
    expect(forged).toMatchObject({ code: 1, out: expect.stringContaining("the record was changed.") });
    expect(forged.out).toContain(`The proof of ${proof.callId} is not valid.`);
    const others = await run([
      "verify-proof",
      file("proof.json", proof),
      "--keys",
      file("none.json", { keys: [] }),
      "--json",
    ]);
    expect(others.code).toBe(1);
    expect(JSON.parse(others.out)).toMatchObject({ callId: proof.callId, holds: false });
  });

  it("of an invalid file, or without keys, is wrong input: a sentence, and 2", async () => {
    const none = await verify("other.json", { call: 1 });
    expect(none).toEqual({ code: 2, out: "", error: expect.stringContaining("cannot be read as a proof: callId") });
    const keyless = await run(["verify-proof", file("proof.json", proof)]);
    expect(keyless).toEqual({
      code: 2,
      out: "",
      error: expect.stringContaining("Usage: npx quartermaster verify-proof"),
    });
  });
});
