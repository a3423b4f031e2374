import { expect, describe, it } from "vitest";
import { canonicalText } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import { readSealedRows } from "@/lib/audit/record/record";
import { readLogTables, type LogRange } from "@/lib/store/log/log-rows";
import { logSession } from "@/lib/store/db/log-session";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

/** The canonical texts of the rows in a range. */
async function textsOf(range: LogRange): Promise<string[]> {
  const texts: string[] = [];
  await logSession("read", async (runQuery, copy) =>
    readSealedRows(copy, (await readLogTables(runQuery)).calls, range, (_row, { text }) => texts.push(text)),
  );
  return texts;
}

/** Writes an outcome and returns its parsed canonical text. */
async function outcomeWith(callId: string, columns: Readonly<Record<string, unknown>>): Promise<Record<string, Json>> {
  const all = {
    callId,
    callAt: "2026-11-22T01:02:03.004Z",
    at: "2026-11-22T01:02:04Z",
    status: "failed",
    attempts: 1,
    empty: false,
    ...columns,
  };
  const names = Object.keys(all).map((name) => `"${name}"`);
  await database.query(
    `insert into execution_outcome (${names.join(", ")}) values (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
    Object.values(all),
  );
  const [text = ""] = await textsOf({ callId });
  const value = JSON.parse(text) as Record<string, Json>;
  expect(text).toBe(canonicalText(value));
  return value;
}

describe("a row as it is sealed", () => {
  it("is canonical JSON of its kind and every column that is not null", async () => {
    const { xid, ...row } = await outcomeWith("call_1", { reason: "granted", gatewayMs: 1.25 });
    expect(row).toEqual({
      record: "outcome",
      callId: "call_1",
      callAt: "2026-11-22T01:02:03.004Z",
      at: "2026-11-22T01:02:04.000Z",
      status: "failed",
      reason: "granted",
      attempts: 1,
      empty: false,
      gatewayMs: 1.25,
    });
    expect(xid).toMatch(/^\d+$/);
  });

  it.each(['"quoted" \\ and \u0001\u001f\t\n', "é \u{1F511} \u2028 \u007f", ""])(
    "has the text %j as JSON does",
    async (reason) => {
      expect((await outcomeWith(`call_text ${reason}`, { reason }))["reason"]).toBe(reason);
    },
  );

  it.each([0, -0.5, 5e-324, 1e21, 123456789.123, 0.1 + 0.2, 1e-7])(
    "has the number %d as JSON does",
    async (gatewayMs) => {
      expect((await outcomeWith(`call_${gatewayMs}`, { gatewayMs }))["gatewayMs"]).toBe(gatewayMs);
    },
  );

  it("keeps JSON as the database's text, exact beyond JavaScript's numbers", async () => {
    const row = await outcomeWith("call_exact", { error: '{"n": 9007199254740993}' });
    expect(row["error"]).toBe('{"n": 9007199254740993}');
  });

  it("has lists as JSON lists", async () => {
    await database.query(
      `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, "claimsDigest", asked, revision, request, policies, groups)
       values ('call_lists', 'i', 'r', now(), 'rest', 'x', 's', 'd', 'a', 1, '{}', $1, '{}')`,
      [["plain", 'a "quote", a comma', "NULL"]],
    );
    const [text = ""] = await textsOf({ callId: "call_lists" });
    expect(JSON.parse(text)).toMatchObject({ policies: ["plain", 'a "quote", a comma', "NULL"], groups: [] });
  });

  it("has infinite times as unique texts", async () => {
    await database.query(
      `insert into execution_outcome ("callId", "callAt", at, status, attempts, empty) values ('call_endless', '2026-11-22', 'infinity', 'x', 1, true)`,
    );
    expect(await textsOf({ callId: "call_endless" })).toEqual([expect.stringContaining('"at":Infinity,')]);
  });

  it("has times that no Date reaches, so that such a row stops no seal", async () => {
    await database.query(
      `insert into execution_outcome ("callId", "callAt", at, status, attempts, empty) values ('call_late', '2026-11-22', '290000-01-01 UTC', 'x', 1, true)`,
    );
    expect(await textsOf({ callId: "call_late" })).toEqual([expect.stringMatching(/"at":"\d+ ms",/)]);
  });
});

describe("a reader that throws", () => {
  it("gets its own error, and the next reader reads everything", async () => {
    await expect(
      logSession("read", async (_ask, copy) =>
        copy("SELECT generate_series(1, 3)", () => {
          throw new Error("enough");
        }),
      ),
    ).rejects.toThrow("enough");
    let rows = 0;
    await logSession("read", (_ask, copy) => copy("SELECT generate_series(1, 3)", () => (rows += 1)));
    expect(rows).toBe(3);
  });

  it("gets the database's message about its statement", async () => {
    await expect(logSession("read", (_ask, copy) => copy("SELECT nothing", () => {}))).rejects.toThrow(/nothing/);
  });
});
