import { byName, readSealedRows, type SealedRow } from "@/lib/audit/record/record";
import { BEFORE_ALL, sealHash, signSeal, toLeaves } from "@/lib/audit/seal/seal";
import { sealSettled } from "@/lib/audit/seal/sealer";
import { verifyLog, type VerifyOptions } from "@/lib/audit/verify/verify";
import type { VerifyOutput } from "@/lib/contracts/log/seal";
import { addSeal, readHorizon, readLastSeal } from "@/lib/store/audit/seals";
import { logSession } from "@/lib/store/db/log-session";
import { signingKeys } from "@/lib/store/keys/signing-keys";
import { readLogTables } from "@/lib/store/log/log-rows";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import type { TestDatabase } from "@/test/support/database";

/** All tables of the log. */
const TABLES = ["execution", "execution_outcome", "execution_body", "seal", "seal_leaves", "seal_key", "audit_event"];

/** SQL that erases the bodies of one call, found by the instant at which it began. */
export function erasureOf(callId: string): string {
  return `select erased.* from execution, erase_bodies_of(null, null, null, at, at + interval '1 microsecond',
    'user', 'ada@localhost', 'admin', null) erased where "callId" = '${callId}'`;
}

/** A log with calls in several seals. A copy restores it after any change. */
export class LogWorld {
  readonly #database: TestDatabase;
  #caller: Client | null = null;

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  /** Calls of every kind: one succeeds, one fails, one is refused. Returns their ids. */
  async call(): Promise<string[]> {
    if (this.#caller === null) {
      await save(supportDocument());
      this.#caller = new Client(await keyOf("reader"));
    }
    const ids: string[] = [];
    for (const body of [
      { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } },
      { tool_id: "builtin:calculate", arguments: { expression: "1 +" } },
      { tool_id: "nothing:here", arguments: {} },
    ])
      ids.push((await this.#caller.call(body)).json.call_id);
    return ids;
  }

  /** Makes calls, then moves their rows to an earlier month, as if they had been made then. */
  async callIn(month: string): Promise<string[]> {
    const ids = await this.call();
    await this.#database.query(`select add_log_month('${month}-01')`);
    await this.#database.query("set session_replication_role = replica");
    for (const [table, column] of [
      ["execution", "at"],
      ["execution_outcome", "callAt"],
      ["execution_body", "callAt"],
    ])
      await this.#database.query(`update ${table} set "${column}" = $1 where "callId" = any($2)`, [
        `${month}-03T10:00:00Z`,
        ids,
      ]);
    await this.#database.query("reset session_replication_role");
    return ids;
  }

  /** Seals all rows at once, so the rows of one call never lie in two seals. */
  async seal(): Promise<void> {
    await this.#allSettled();
    await sealSettled();
  }

  /** Waits until each row is settled. Transactions of other test files on the same server delay that. */
  async #allSettled(): Promise<void> {
    for (;;) {
      const [newest] = await this.#database.query<{ xid: number }>(
        `select coalesce(max(xid::text::bigint), 0)::float as xid from (
           select xid from execution union all select xid from execution_outcome union all select xid from audit_event) rows`,
      );
      const { settled } = await logSession("read", readHorizon);
      if (newest !== undefined && settled > newest.xid) return;
    }
  }

  /** A seal like one of an older app that still runs while the new app starts: it covers calls and no audit events. */
  async sealCallsOnly(): Promise<void> {
    await this.#allSettled();
    await logSession("add", async (runQuery, copy) => {
      const last = await readLastSeal(runQuery);
      const range = { fromXid: last?.toXid ?? 0, toXid: (await readHorizon(runQuery)).settled };
      const rows: SealedRow[] = [];
      await readSealedRows(copy, (await readLogTables(runQuery)).calls, range, (row) => rows.push(row));
      const { root, ...leaves } = toLeaves(rows.toSorted(byName));
      const [key] = signingKeys("seal");
      const previous = last === null ? BEFORE_ALL : sealHash(last);
      const number = (last?.number ?? 0) + 1;
      const at = new Date().toISOString();
      const count = rows.length;
      await addSeal(
        runQuery,
        signSeal({ number, at, era: 1, ...range, count, root, previous, keyId: key.kid }, key),
        leaves,
      );
    });
  }

  /** Saves the present log. */
  async keep(): Promise<void> {
    for (const table of TABLES) await this.#database.query(`create table kept_${table} as select * from ${table}`);
  }

  /** Changes these tables like an attacker who leaves no trace, then restores everything. */
  async copied<T>(tables: readonly string[], run: () => Promise<T>): Promise<T> {
    for (const table of tables) await this.#database.query(`create table copy_${table} as select * from ${table}`);
    await this.#database.query("set session_replication_role = replica");
    try {
      return await run();
    } finally {
      for (const table of tables)
        await this.#database.query(
          `delete from ${table}; insert into ${table} select * from copy_${table}; drop table copy_${table}`,
        );
      await this.#database.query("reset session_replication_role");
    }
  }

  /**
   * Returns the defects of a verification after this SQL ran with every right on the database, then restores
   * everything.
   */
  async tamper(sql: string, options: Partial<VerifyOptions> = {}): Promise<VerifyOutput> {
    // Like an attacker who leaves no trace: no trigger fires.
    await this.#database.query("set session_replication_role = replica");
    try {
      await this.#database.query(sql);
      return await verifyLog({ checkpoints: [], ...options });
    } finally {
      for (const table of TABLES) {
        await this.#database.query(`delete from ${table}`);
        await this.#database.query(`insert into ${table} select * from kept_${table}`);
      }
      await this.#database.query("reset session_replication_role");
    }
  }
}
