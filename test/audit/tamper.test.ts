import { beforeAll, describe, expect, it } from "vitest";
import { signSeal } from "@/lib/audit/seal/seal";
import { verifyLog } from "@/lib/audit/verify/verify";
import type { SignedSeal, VerifyOutput } from "@/lib/contracts/log/seal";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { logSession } from "@/lib/store/db/log-session";
import { readLastSeal } from "@/lib/store/audit/seals";
import { signingKeys } from "@/lib/store/keys/signing-keys";
import { getExecution } from "@/lib/store/log/executions";
import { erasureOf, LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
/** The calls of the first, second and third seal. */
const batches: string[][] = [];

const ADA = { kind: "user", name: "ada@localhost", role: "admin" } as const;

beforeAll(async () => {
  for (let number = 1; number <= 3; number += 1) {
    batches.push(await world.call());
    for (const target of [`first ${number}`, `second ${number}`])
      await recordAuditEvent({
        actor: ADA,
        action: "executions.bodies",
        target,
        requestId: `r${number}`,
        address: "::1",
      });
    await world.seal();
  }
  await world.keep();
});

const untouched = () => verifyLog({ checkpoints: [] });
const lastSeal = async () => (await logSession("read", readLastSeal)) as SignedSeal;

/** Defects without their sentences. */
function found({ findings }: VerifyOutput): string[] {
  return findings.map(({ kind, callId, seal }) => `${kind} ${callId ?? seal ?? ""}`).toSorted();
}

/** The call to edit: a successful one in the second seal. */
const victim = () => batches[1]?.[0] ?? "";
const other = () => batches[1]?.[1] ?? "";
const late = () => batches[2]?.[0] ?? "";

describe("an untouched log", () => {
  it("is intact in every row and body", async () => {
    const report = await untouched();
    const [count] = await database.query<{ rows: number; bodies: number }>(
      `select (select count(*) from execution)::int + (select count(*) from execution_outcome)::int
           + (select count(*) from audit_event)::int as rows,
         (select count(*) from execution_body)::int as bodies`,
    );
    expect(report).toMatchObject({ intact: true, found: 0, findings: [], erased: 0, unsealed: 0, ...count });
    expect(report.seals).toBeGreaterThanOrEqual(3);
  });

  it("is intact again after each of these tests", async () => {
    expect(found(await world.tamper(`delete from execution`))).not.toEqual([]);
    expect((await untouched()).intact).toBe(true);
  });
});

/** A different value of a column, by its type. */
const OTHERS: Record<string, (column: string) => string> = {
  text: (column) => `coalesce(${column}, '') || 'x'`,
  ARRAY: (column) => `array_append(${column}, 'x')`,
  jsonb: (column) => `jsonb_build_object('was', ${column})`,
  integer: (column) => `coalesce(${column}, 0) + 1`,
  "double precision": (column) => `coalesce(${column}, 0) + 1e-9`,
  boolean: (column) => `not ${column}`,
  "timestamp with time zone": (column) => `${column} + interval '1 millisecond'`,
};

describe("an edit of any column", () => {
  it.each(["execution", "execution_outcome"])("of %s is found at its row", async (table) => {
    const columns = await database.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = $1 and column_name not in ('callId', 'xid')`,
      [table],
    );
    expect(columns.length).toBeGreaterThan(10);
    for (const { name, type } of columns) {
      const edited = OTHERS[type]?.(`"${name}"`);
      const report = await world.tamper(`update ${table} set "${name}" = ${edited} where "callId" = '${victim()}'`);
      const rows = found(report).filter((finding) => finding.startsWith("row_"));
      expect({ [name]: rows }).toEqual({ [name]: [`row_edited ${victim()}`] });
    }
  });

  it("from null to a value, or from a value to null, is found", async () => {
    for (const change of [`"error" = 'null'`, `"reason" = null`, `"code" = ''`])
      expect(
        found(await world.tamper(`update execution_outcome set ${change} where "callId" = '${victim()}'`)),
      ).toEqual([`row_edited ${victim()}`]);
  });

  it("of a number beyond JavaScript's precision is found", async () => {
    const sql = (value: string) => `update execution set request = '{"n": ${value}}' where "callId" = '${victim()}'`;
    expect(found(await world.tamper(sql("9007199254740993")))).toEqual([`row_edited ${victim()}`]);
  });

  it("of the call's id is found as a deleted and an inserted row", async () => {
    expect(
      found(await world.tamper(`update execution_outcome set "callId" = 'call_x' where "callId" = '${victim()}'`)),
    ).toEqual(["body_deleted call_x", `row_deleted ${victim()}`, "row_inserted call_x"]);
  });

  it("of the transaction, so that another seal covers the row, is found in both seals", async () => {
    const sql = `update execution set xid = (select xid from execution where "callId" = '${late()}') where "callId" = '${victim()}'`;
    expect(found(await world.tamper(sql))).toEqual([`row_deleted ${victim()}`, `row_inserted ${victim()}`]);
  });

  it("of the transaction, so that no seal covers the row, is found", async () => {
    const sql = `update execution set xid = '9000000000' where "callId" = '${victim()}'`;
    expect(found(await world.tamper(sql))).toContain(`row_deleted ${victim()}`);
  });
});

describe("whole rows", () => {
  it.each(["execution", "execution_outcome"])("of %s that are deleted are found", async (table) => {
    expect(found(await world.tamper(`delete from ${table} where "callId" = '${victim()}'`))).toContain(
      `row_deleted ${victim()}`,
    );
  });

  it("that are inserted among sealed ones are found", async () => {
    const sql = `create temp table forged as select * from execution where "callId" = '${victim()}';
      update forged set "callId" = 'call_forged', "argumentsCommitment" = null;
      insert into execution select * from forged; drop table forged`;
    expect(found(await world.tamper(sql))).toEqual(["row_inserted call_forged"]);
  });

  it("that are copied to another time are found", async () => {
    const sql = `create temp table twin as select * from execution where "callId" = '${victim()}';
      update twin set at = at + interval '1 second'; insert into execution select * from twin; drop table twin`;
    // The copy commits to a body, and its time has none.
    expect(found(await world.tamper(sql))).toEqual([`body_deleted ${victim()}`, `row_inserted ${victim()}`]);
  });

  it("that are inserted a second time are found, once the owner has dropped the key of their table", async () => {
    const twice = (table: string, where: string) =>
      `alter table ${table} drop constraint ${table}_pkey; insert into ${table} select * from ${table} where ${where}`;
    try {
      const call = await world.tamper(twice("execution", `"callId" = '${victim()}'`));
      expect(found(call)).toEqual([`row_inserted ${victim()}`]);
      const event = await world.tamper(twice("audit_event", "target = 'first 2'"));
      expect(found(event)).toEqual(["row_inserted 2"]);
    } finally {
      await database.query(
        `alter table execution add primary key ("callId", at); alter table audit_event add primary key (id)`,
      );
    }
  });

  it("that are exchanged are both found", async () => {
    const sql = `update execution set "toolId" = case "callId" when '${victim()}' then 'b:two' else 'b:one' end, asked = 'swapped'
      where "callId" in ('${victim()}', '${other()}')`;
    expect(found(await world.tamper(sql))).toEqual([`row_edited ${victim()}`, `row_edited ${other()}`].toSorted());
  });
});

describe("audit events", () => {
  const where = `where target = 'first 2'`;
  const findingsOf = (report: VerifyOutput) =>
    report.findings.map(({ kind, seal, detail }) => `${kind} ${seal} ${detail}`);
  const idOf = async (target: string) => {
    const [row] = await database.query<{ id: string }>(`select id::text from audit_event where target = $1`, [target]);
    return row?.id ?? "";
  };

  it("of which any column was edited are found", async () => {
    const id = await idOf("first 2");
    const columns = await database.query<{ name: string; type: string }>(
      `select column_name as name, data_type as type from information_schema.columns
       where table_name = 'audit_event' and column_name not in ('id', 'xid')`,
    );
    expect(columns).toHaveLength(13);
    for (const { name, type } of columns) {
      const edited = OTHERS[type]?.(`"${name}"`);
      const report = await world.tamper(`update audit_event set "${name}" = ${edited} ${where}`);
      expect({ [name]: findingsOf(report) }).toEqual({ [name]: [`row_edited 2 The audit event ${id} was changed.`] });
    }
  });

  it("that are deleted are found", async () => {
    const id = await idOf("first 2");
    expect(findingsOf(await world.tamper(`delete from audit_event ${where}`))).toEqual([
      `row_deleted 2 The audit event ${id} is missing.`,
    ]);
  });

  it("that are inserted among sealed ones are found", async () => {
    const sql = `create temp table forged as select * from audit_event ${where}; update forged set id = 4711;
      insert into audit_event select * from forged; drop table forged`;
    expect(findingsOf(await world.tamper(sql))).toEqual([
      "row_inserted 2 The audit event 4711 was added after the seal.",
    ]);
  });

  it("that are exchanged are both found", async () => {
    const report = await world.tamper(`update audit_event set target = case target when 'first 2' then 'second 2'
      else 'first 2' end where target in ('first 2', 'second 2')`);
    expect(found(report)).toEqual(["row_edited 2", "row_edited 2"]);
  });

  it("that are moved to another seal are found in both", async () => {
    const report = await world.tamper(
      `update audit_event set xid = (select xid from audit_event where target = 'first 3') ${where}`,
    );
    expect(found(report)).toEqual(["row_deleted 2", "row_inserted 3"]);
  });

  it("are found when a seal states another range for them", async () => {
    expect(found(await world.tamper(`update seal set "auditFrom" = null where number = 2`))).toContain("seal_edited 2");
    expect(found(await world.tamper(`update seal set "auditFrom" = 5 where number = 2`))).toContain("seal_edited 2");
  });
});

describe("bodies", () => {
  const where = () => `where "callId" = '${victim()}' and part = 'result'`;

  it.each([`text = '3'`, `digest = 'x'`, `sha256 = 'x'`, `bytes = 1`, `key = '\\x00'`, `key = null`])(
    "whose %s was set are found",
    async (change) => {
      expect(found(await world.tamper(`update execution_body set ${change} ${where()}`))).toEqual([
        `body_edited ${victim()}`,
      ]);
    },
  );

  it("that are missing are found, unless an erasure removed them: then every seal stays valid", async () => {
    expect(found(await world.tamper(`delete from execution_body ${where()}`))).toEqual([`body_deleted ${victim()}`]);
    const erased = await world.tamper(erasureOf(victim()));
    expect(erased).toMatchObject({ intact: true, erased: 2 });
  });

  it("that the app's role added to a failed call are found, also when the call's own bodies were erased", async () => {
    const added = `insert into execution_body ("callId", "callAt", part, text, digest)
      select "callId", at, 'result', '{"forged":"answer"}', 'x' from execution where "callId" = '${other()}'`;
    for (const sql of [added, `${erasureOf(other())}; ${added}`])
      expect(found(await world.tamper(sql))).toEqual([`body_inserted ${other()}`]);
  });

  it("to which no row commits are not shown: of a call without an outcome, of a failed call and of an erased one", async () => {
    const shown = async (callId: string) => {
      const { arguments: sent, result } = (await getExecution(callId, { bodies: true }))!;
      return { sent, result };
    };
    expect(await shown(victim())).toEqual({ sent: { expression: "1 + 1" }, result: { value: 2 } });
    await world.copied(["execution_outcome", "execution_body"], async () => {
      await database.query(`delete from execution_body ${where()}`);
      await database.query(`delete from execution_outcome where "callId" = '${late()}'`);
      await database.query(`delete from execution_body where "callId" = '${late()}' and part = 'result'`);
      await database.query(
        `insert into execution_body ("callId", "callAt", part, text, digest, key)
         select "callId", at, 'result', '{"forged":"answer"}', 'x', '\\x00' from execution where "callId" = any($1)`,
        [[victim(), other(), late()]],
      );
      expect(await shown(victim())).toEqual({ sent: { expression: "1 + 1" }, result: null });
      expect(await shown(other())).toEqual({ sent: { expression: "1 +" }, result: null });
      expect(await shown(late())).toEqual({ sent: { expression: "1 + 1" }, result: null });
    });
  });
});

describe("seals", () => {
  it.each([
    `count = count + 1`,
    `root = repeat('0', 64)`,
    `previous = repeat('1', 64)`,
    `at = at + interval '1 second'`,
    `signature = reverse(signature)`,
    `era = era + 1`,
  ])("in which %s are found", async (change) => {
    expect(found(await world.tamper(`update seal set ${change} where number = 2`))).toContain("seal_edited 2");
  });

  it("that cover other transactions are found", async () => {
    const report = await world.tamper(`update seal set "toXid" = "toXid" + 1 where number = 2`);
    expect(found(report)).toContain("seal_edited 2");
    expect(found(report)).toContain("seal_edited 3");
  });

  it.each(["fromXid", "auditFrom"] as const)(
    "that leave a gap or overlap in %s are found, also when signed",
    async (field) => {
      const { signature: _old, ...last } = await lastSeal();
      const begin = field === "fromXid" ? "It begins" : "Its audit events begin";
      for (const start of [last.fromXid - 1, last.fromXid + 1]) {
        const { signature } = signSeal({ ...last, [field]: start }, signingKeys("seal")[0]);
        const sql = `update seal set "${field}" = ${start}, signature = '${signature}' where number = ${last.number}`;
        const { findings } = await world.tamper(sql);
        expect(findings).toContainEqual({
          kind: "seal_edited",
          seal: last.number,
          callId: null,
          detail: `${begin} at transaction ${start} instead of ${last.fromXid}.`,
        });
        expect(findings.map(({ detail }) => detail)).not.toContain("Its signature is not valid.");
      }
    },
  );

  it("that are missing are found: the first, a middle one, and all", async () => {
    expect(found(await world.tamper("delete from seal where number = 2"))).toEqual(["seal_missing 3"]);
    expect(found(await world.tamper("delete from seal where number = 1"))).toEqual(["seal_missing 2"]);
  });

  it("whose list was altered are found, and the rows are still proven", async () => {
    const report = await world.tamper("update seal_leaves set records[1] = 'execution call_x' where number = 2");
    expect(report.findings.map(({ kind, seal }) => [kind, seal])).toEqual([["leaves_edited", 2]]);
  });

  it("whose list is missing are found", async () => {
    expect(found(await world.tamper("delete from seal_leaves where number = 2"))).toEqual(["leaves_edited 2"]);
  });

  it("whose list was adapted to an altered row are found, with their batch", async () => {
    const sql = `update execution set asked = 'x' where "callId" = '${victim()}';
      update seal_leaves set hashes = set_byte(hashes, 0, 255 - get_byte(hashes, 0)) where number = 2`;
    expect(found(await world.tamper(sql))).toEqual(["leaves_edited 2", "row_edited 2"]);
  });

  it("that another key signed are found, even a key in the table", async () => {
    const report = await world.tamper(`update seal set "keyId" = 'foreign' where number = 3;
      insert into seal_key values ('foreign', now(), 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'foreign', 'x')`);
    expect(found(report)).toEqual(["key_unknown 3"]);
  });
});

describe("a rolled-back database", () => {
  it("is found by the checkpoint", async () => {
    const checkpoint = await lastSeal();
    const sql = `delete from execution where xid >= (select min("fromXid") from seal where number >= 3)::text::xid8;
      delete from execution_outcome where xid >= (select min("fromXid") from seal where number >= 3)::text::xid8;
      delete from seal_leaves where number >= 3; delete from seal where number >= 3`;
    expect((await world.tamper(sql)).findings).toEqual([]);
    expect(found(await world.tamper(sql, { checkpoints: [checkpoint] }))).toEqual([`rolled_back ${checkpoint.number}`]);
  });

  it("that continued is found by the checkpoint", async () => {
    const last = await lastSeal();
    const checkpoints = [{ ...last, root: "1".repeat(64) }];
    expect(found(await verifyLog({ checkpoints }))).toEqual([`checkpoint_differs ${last.number}`]);
  });

  it("is not reported for a checkpoint of this log", async () => {
    expect((await verifyLog({ checkpoints: [await lastSeal()] })).intact).toBe(true);
  });
});

describe("unsealed rows", () => {
  it("are a defect after a minute", async () => {
    await world.call();
    expect((await untouched()).intact).toBe(true);
    const later = await verifyLog({ checkpoints: [], now: () => new Date(Date.now() + 61_000) });
    expect(found(later)).toEqual(["unsealed "]);
    await world.seal();
  });
});
