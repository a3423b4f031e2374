import { expect, it } from "vitest";
import { verifyLog } from "@/lib/audit/verify/verify";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
const ADA = { kind: "user", name: "ada@localhost", role: "admin" } as const;

it("the next seal covers audit events that an older app left out, and edits of them are found", async () => {
  for (const target of ["before", "between"]) {
    await recordAuditEvent({ actor: ADA, action: "executions.bodies", target, requestId: null });
    await world.call();
    await world.sealCallsOnly();
    if (target === "before") await world.seal();
  }
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true });
  await recordAuditEvent({ actor: ADA, action: "executions.bodies", target: "after", requestId: null });
  await world.seal();
  expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, unsealed: 0 });
  await world.keep();
  for (const target of ["before", "between", "after"]) {
    const { findings } = await world.tamper(`update audit_event set actor = 'eve' where target = '${target}'`);
    expect(findings.map(({ kind }) => kind)).toEqual(["row_edited"]);
  }
});
