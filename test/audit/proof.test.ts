import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyProofCommand } from "@/bin/commands/verify-proof";
import { proveExecution } from "@/lib/audit/verify/proof";
import { sealKeys } from "@/lib/audit/seal/trusted-keys";
import type { ExecutionProof } from "@/lib/contracts/log/seal";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { erasureOf, LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "proof-"));
const ADA = { kind: "user", name: "ada@localhost", role: "admin" } as const;
let callId = "";
let proof: ExecutionProof;

beforeAll(async () => {
  [callId = ""] = await world.call();
  await world.seal();
  proof = (await proveExecution(callId)) as ExecutionProof;
});

/** The command's verdict on a proof, with downloaded keys. */
async function check(given: ExecutionProof, keys: readonly object[] = sealKeys()) {
  const [file, keyFile] = [join(folder, "proof.json"), join(folder, "jwks.json")];
  writeFileSync(file, JSON.stringify(given));
  writeFileSync(keyFile, JSON.stringify({ keys }));
  let printed = "";
  const output = { out: (text: string) => void (printed += text), error: (text: string) => void (printed += text) };
  return { code: await verifyProofCommand([file, "--keys", keyFile], output), printed };
}

/** The proof with a changed field in its first record. */
function altered(change: (first: ExecutionProof["records"][number]) => object): ExecutionProof {
  const [first, ...rest] = proof.records;
  if (first === undefined) throw new Error("the proof has records");
  return { ...proof, records: [{ ...first, ...change(first) }, ...rest] };
}

describe("a proof", () => {
  it("exists as soon as the call is sealed", async () => {
    const [fresh = ""] = await world.call();
    expect(await proveExecution(fresh)).toBeNull();
    await world.seal();
    expect((await proveExecution(fresh))?.callId).toBe(fresh);
  });

  it("is valid, and shows the log's facts: the caller, the call and its outcome", async () => {
    expect(proof.records).toHaveLength(2);
    const { code, printed } = await check(proof);
    expect(code).toBe(0);
    expect(printed).toContain(`"callId":"${callId}"`);
    expect(printed).toContain(`"toolId":"builtin:calculate"`);
    expect(printed).toContain(`"status":"succeeded"`);
  });

  it("contains the event that answered the call's approval, and no other event about the call", async () => {
    const [fresh = ""] = await world.call();
    const event = { actor: ADA, target: fresh, requestId: null };
    for (const action of ["executions.bodies", "approvals.approved"] as const)
      await recordAuditEvent({ ...event, action });
    for (const target of [callId, "call_dropped"])
      await recordAuditEvent({ ...event, action: "approvals.approved", target });
    await world.seal();
    // The event outlives a call whose month was dropped, and proves nothing by itself.
    expect(await proveExecution("call_dropped")).toBeNull();
    const given = (await proveExecution(fresh))!;
    const { code, printed } = await check(given);
    expect([code, given.records.length]).toEqual([0, 3]);
    expect(printed).toContain(`"action":"approvals.approved","actor":"ada@localhost"`);
    const foreign = (await proveExecution(callId))!.records.at(-1)!;
    expect((await check({ ...given, records: [...given.records, foreign] })).code).toBe(1);
    const forged = { ...given.records[2]!, record: given.records[2]!.record.replace("ada@", "eve@") };
    expect((await check({ ...given, records: [forged] })).code).toBe(1);
  });

  it.each([
    [
      "another record",
      ({ record }: { record: string }) => ({ record: record.replace("builtin:calculate", "builtin:calculatf") }),
    ],
    ["another place", ({ index }: { index: number }) => ({ index: index + 1 })],
    ["another path", ({ path }: { path: string[] }) => ({ path: path.map(() => "0".repeat(64)) })],
    ["another root", ({ seal }: { seal: object }) => ({ seal: { ...seal, root: "0".repeat(64) } })],
    ["another number", ({ seal }: { seal: { number: number } }) => ({ seal: { ...seal, number: seal.number + 1 } })],
    ["another time", ({ seal }: { seal: object }) => ({ seal: { ...seal, at: "2020-01-01T00:00:00.000Z" } })],
    ["no JSON", () => ({ record: "{" })],
  ])("with %s does not hold", async (_what, change) => {
    expect((await check(altered(change as never))).code).toBe(1);
  });

  it.each([
    `update execution_outcome set reason = 'another'`,
    `update execution_body set text = '"another"' `,
    `delete from execution_body`,
  ])("is refused for a call of which somebody did: %s", async (sql) => {
    const [fresh = ""] = await world.call();
    await world.seal();
    await database.query(
      `set session_replication_role = replica; ${sql} where "callId" = '${fresh}'; reset session_replication_role`,
    );
    await expect(proveExecution(fresh)).rejects.toMatchObject({ code: "conflict" });
  });

  it("is given for a call whose bodies were erased", async () => {
    const [fresh = ""] = await world.call();
    await world.seal();
    await database.query(erasureOf(fresh));
    expect((await proveExecution(fresh))?.callId).toBe(fresh);
  });

  it("of one call is not valid for another", async () => {
    expect((await check({ ...proof, callId: "call_other" })).code).toBe(1);
  });

  it("is not valid under other keys, whatever their names", async () => {
    const [key] = sealKeys();
    const other = { ...key, x: Buffer.alloc(32, 7).toString("base64url") };
    expect((await check(proof, [other])).code).toBe(1);
    expect((await check(proof, [])).printed).toContain("not among the given keys");
  });
});
