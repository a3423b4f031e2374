import { afterAll, beforeAll, expect, test } from "vitest";
import { GET as denials } from "@/app/api/admin/denials/route";
import { GET as histogram } from "@/app/api/admin/executions/histogram/route";
import { GET as overview } from "@/app/api/admin/overview/route";
import type { Handler } from "@/lib/http/route";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { fillWorld, LARGE } from "@/test/support/worlds/large-world";
import { sentBy, type Statement } from "@/test/support/statements";

const database = useDatabase();

/** An hour of the twenty days that the large world's calls are spread over. */
const HOUR = "from=2026-11-10T12:00:00Z&to=2026-11-10T13:00:00Z";

/** Partitions with rows: an empty one is read faster than any index of it. */
let full: ReadonlySet<string>;

beforeAll(async () => {
  await fillWorld(database, { ...LARGE, tools: 100 });
  const tables = await database.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and reltuples > 1000 and relname like 'execution%'",
  );
  full = new Set(tables.map(({ relname }) => relname));
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Plans?: readonly Node[];
}

/** Parts of the log that a statement reads from end to end. */
async function readWhole({ text, values }: Statement): Promise<string[]> {
  const [row] = await database.query<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (format json) ${text}`, values);
  return row === undefined ? [] : [...wholeReads(row["QUERY PLAN"][0].Plan)];
}

function* wholeReads({ "Node Type": type, "Relation Name": table = "", Plans = [] }: Node): Generator<string> {
  if (type === "Seq Scan" && full.has(table)) yield table;
  for (const child of Plans) yield* wholeReads(child);
}

test.each<[string, string, Handler]>([
  ["the overview", `overview?${HOUR}`, overview],
  ["the histogram", `executions/histogram?${HOUR}`, histogram],
  ["the histogram of one agent's refusals", `executions/histogram?${HOUR}&agent=agent-3&status=denied`, histogram],
  ["the denials", `denials?${HOUR}`, denials],
  ["the denials of one agent", `denials?${HOUR}&agent=agent-3&sort=-calls`, denials],
])("of 100,000 calls, %s of an hour reads that hour alone", async (_what, path, handler) => {
  const statements = await sentBy(async () => {
    const got = await ask(handler, "GET", `/api/admin/${path}`);
    expect([got.status, got.json.errors]).toEqual([200, undefined]);
  });
  expect(full.size).toBeGreaterThan(1);
  const ofTheLog = statements.filter(({ text }) => /\bexecution\b/.test(text) && !/SELECT EXISTS/.test(text));
  expect(ofTheLog.length).toBeGreaterThan(0);
  for (const statement of ofTheLog) expect.soft(await readWhole(statement), statement.text).toEqual([]);
});
