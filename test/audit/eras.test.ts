import { beforeAll, describe, expect, it } from "vitest";
import { byName, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { readLogMonths } from "@/lib/audit/archive/retention";
import { BEFORE_ALL, sealHash, signSeal, toLeaves } from "@/lib/audit/seal/seal";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { proveExecution } from "@/lib/audit/verify/proof";
import { verifyLog } from "@/lib/audit/verify/verify";
import { readLogTables } from "@/lib/store/log/log-rows";
import { logSession } from "@/lib/store/db/log-session";
import { addSeal, readLastSeal } from "@/lib/store/audit/seals";
import { signingKeys } from "@/lib/store/keys/signing-keys";
import { LogWorld } from "@/test/audit/log-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const world = new LogWorld(database);
/** The other cluster's transaction number at the backup: ahead of this cluster for a long time. */
const AHEAD = 5_000_000_000;
/** A number of both clusters, which this one reaches after the restore. */
let soon = 0;

/** Seals the pending rows as the sealer of the other cluster did. */
async function sealThere(toXid: number): Promise<void> {
  await logSession("add", async (runQuery, copy) => {
    const last = await readLastSeal(runQuery);
    const fromXid = last?.toXid ?? 0;
    const rows: SealedRow[] = [];
    await readSealedRows(copy, (await readLogTables(runQuery)).calls, { fromXid, toXid }, (row) => rows.push(row));
    const { root, ...leaves } = toLeaves(rows.toSorted(byName));
    const [key] = signingKeys("seal");
    const statement = {
      number: (last?.number ?? 0) + 1,
      at: "2026-03-31T00:00:00.000Z",
      era: 1,
      fromXid,
      toXid,
      count: rows.length,
      root,
      previous: last === null ? BEFORE_ALL : sealHash(last),
      keyId: key.kid,
    };
    await addSeal(runQuery, signSeal(statement, key), leaves);
  });
}

/** Rows that the other cluster wrote under these numbers. */
async function writeThere(callIds: readonly string[], xid: number): Promise<void> {
  await database.query("set session_replication_role = replica");
  for (const table of ["execution", "execution_outcome"])
    await database.query(`update ${table} set xid = $1::text::xid8 where "callId" = any($2)`, [String(xid), callIds]);
  await database.query("reset session_replication_role");
}

/** Sealed rows, by era. */
const sealed = () =>
  database.query<{ era: number; rows: number }>(
    "select era, sum(count)::int as rows from seal group by era order by era",
  );

/** Drops a month of which an archive claims so many rows, and takes that back. */
async function dropped(month: string, rows: number): Promise<void> {
  await database.query("begin");
  try {
    await database.query(
      `insert into log_archive (id, month, at, actor, place, rows, bodies, events, parts, seals, "keyId", signature)
       values ('arc_any', $1, now(), 'x', 'x', $2, 0, 0, '[]', '{"whole": [], "mixed": []}', 'k', 's')`,
      [month, rows],
    );
    await database.query("select drop_log_month($1, 'arc_any')", [month]);
  } finally {
    await database.query("rollback");
  }
}

/** Seals until `rows` rows are sealed. Transactions of other test files on the same server only delay it. */
async function sealUntil(rows: number): Promise<void> {
  while ((await sealed()).reduce((sum, era) => sum + era.rows, 0) < rows) await sealSettled();
}

beforeAll(async () => {
  const [present] = await database.query<{ xid: string }>("select pg_current_xact_id()::text as xid");
  soon = Number(present?.xid) + 5_000;
  const early = await world.callIn("2026-03");
  // Under a number that this cluster also used, and uses again for its own rows.
  await world.callIn("2026-03");
  const later = await world.callIn("2026-03");
  await database.query("set session_replication_role = replica");
  await database.query(`update execution_outcome set at = "callAt"`);
  await writeThere(early, soon);
  await writeThere(later, AHEAD - 10);
  await sealThere(AHEAD);
});

describe("a log that was restored into another cluster", () => {
  it("is intact after the restore", async () => {
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, seals: 1, rows: 18, unsealed: 0 });
  });

  it("seals the pending rows first, then begins a new era, and stays intact", async () => {
    await writeThere(await world.call(), AHEAD + 10);
    const own = await world.call();
    // In neither era's seals, although under numbers of the first era.
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, seals: 1, unsealed: 12 });
    expect(await proveExecution(own[0]!)).toBeNull();
    await world.callIn("2026-04");
    await expect(dropped("2026-04", 6)).rejects.toThrow("rows that its archive does not have");
    await sealUntil(36);
    expect(await sealed()).toEqual([
      { era: 1, rows: 18 + 6 },
      { era: 2, rows: 12 },
    ]);
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, rows: 36, unsealed: 0, found: 0 });
  });

  it("reads each body once, under the seal of its row", async () => {
    const [stored] = await database.query<{ bodies: number }>("select count(*)::int as bodies from execution_body");
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, ...stored });
    const [{ callId = "" } = {}] = await database.query<{ callId: string }>(
      `select "callId" from execution where xid::text::bigint < ${soon} order by at desc limit 1`,
    );
    const edit = (change: string) =>
      database.query(`set session_replication_role = replica;
        update execution_body set text = ${change} where "callId" = '${callId}' and part = 'arguments';
        reset session_replication_role`);
    await edit("text || ' '");
    expect((await verifyLog({ checkpoints: [] })).findings).toMatchObject([{ kind: "body_edited", callId }]);
    await edit("rtrim(text)");
  });

  it("drops a month of either era, and no row that waits for a seal of the new era", async () => {
    await dropped("2026-03", 18);
    await dropped("2026-04", 6);
    await world.callIn("2026-04");
    await expect(dropped("2026-04", 12)).rejects.toThrow("rows that its archive does not have");
    await sealUntil(42);
    await dropped("2026-04", 12);
  });

  it("is sealed as usual, each row once, and is intact while rows wait for a seal", async () => {
    const [fresh] = await world.call();
    // The other cluster's rows of these numbers are sealed, although this cluster has not sealed the numbers.
    await database.query(
      `do $$ begin while pg_current_xact_id()::text::bigint <= ${soon} loop commit; end loop; end $$`,
    );
    expect(await verifyLog({ checkpoints: [] })).toMatchObject({ intact: true, rows: 42, unsealed: 6 });
    const unsealed = async () => (await readLogMonths()).months.map((month) => [month.rows, month.unsealed]);
    expect(await unsealed()).toEqual([
      [18, 6],
      [12, 0],
      [18, 0],
    ]);
    expect(await proveExecution(fresh!)).toBeNull();
    await sealUntil(48);
    expect(await proveExecution(fresh!)).toMatchObject({ callId: fresh });
    expect((await sealed()).at(-1)).toEqual({ era: 2, rows: 24 });
    const later = await verifyLog({ checkpoints: [], now: () => new Date(Date.now() + 61_000) });
    expect(later).toMatchObject({ intact: true, unsealed: 0 });
    expect(await unsealed()).toEqual([
      [18, 0],
      [12, 0],
      [18, 0],
    ]);
  });

  it("reveals a row inserted into either era", async () => {
    await database.query("set session_replication_role = replica");
    await database.query(
      `create temp table forged as select * from execution order by at limit 1;
       update forged set "callId" = 'call_forged', "argumentsCommitment" = null; insert into execution select * from forged`,
    );
    const { findings } = await verifyLog({ checkpoints: [] });
    expect(new Set(findings.map(({ kind, callId }) => `${kind} ${callId}`))).toEqual(
      new Set(["row_inserted call_forged"]),
    );
  });
});
