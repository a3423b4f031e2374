import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readFlowImpact } from "@/lib/admin/flow/impact";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { GROWING_LISTS, questionsOf } from "@/test/support/growing-lists";
import { fillWorld, LARGE } from "@/test/support/worlds/large-world";
import { sentBy, type Statement } from "@/test/support/statements";

const database = useDatabase();

/** Rows from which on reading a whole table is a fault: below, an index saves nothing. */
const LARGE_TABLE = 1_000;

/** Keys of a list's query that are no filters. */
const RESERVED = new Set(["q", "sort", "limit", "cursor", "arguments"]);

let large: ReadonlySet<string>;

beforeAll(async () => {
  await fillWorld(database, LARGE);
  const tables = await database.query<{ relname: string }>(
    "select relname from pg_class where relkind = 'r' and reltuples > $1 and relnamespace = 'public'::regnamespace",
    [LARGE_TABLE],
  );
  large = new Set(tables.map(({ relname }) => relname));
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Filter?: string;
  readonly Plans?: readonly Node[];
}

/** Large tables that a statement may read from end to end. */
async function readWhole({ text, values }: Statement): Promise<string[]> {
  const [row] = await database.query<{ "QUERY PLAN": [{ Plan: Node }] }>(`explain (format json) ${text}`, values);
  return row === undefined ? [] : [...wholeReads(row["QUERY PLAN"][0].Plan)];
}

/** A count up to a limit may take rows as they lie, as long as it takes every row that it reads. */
function* wholeReads(node: Node, limited = false): Generator<string> {
  const { "Node Type": type, "Relation Name": table = "", Filter } = node;
  if (type.endsWith("Seq Scan") && large.has(table) && !(limited && Filter === undefined)) yield table;
  for (const child of node.Plans ?? []) yield* wholeReads(child, type === "Limit");
}

describe("with 10,000 tools and 100,000 executions", () => {
  test("the generated database has the promised size", () => {
    expect([...large]).toEqual(expect.arrayContaining(["tool", "agent_session", "change", "delivery", "approval"]));
  });

  describe.each(GROWING_LISTS.map((list) => [list.path, list] as const))("the first page of %s", (path, list) => {
    test("every filter is tested", async () => {
      const { json } = await ask(list.GET, "GET", `/api/admin/${path}?nonsense=1`, { params: list.params });
      const named = /can be filtered by (.*)/.exec(json.errors[0]?.message ?? "")?.[1]?.split(", ");
      const known =
        list.query === undefined ? named : Object.keys(list.query.shape).filter((key) => !RESERVED.has(key));
      expect(Object.keys(list.filters).toSorted()).toEqual(known?.toSorted());
    });

    test.each(questionsOf(list))("%s reads no large table from end to end", async (question) => {
      const statements = await sentBy(async () => {
        const got = await ask(list.GET, "GET", `/api/admin/${path}?${question}`, { params: list.params });
        expect([got.status, got.json.errors]).toEqual([200, undefined]);
        expect(got.json.items.length).toBeGreaterThan(0);
      });
      expect(statements.length).toBeGreaterThan(0);
      for (const statement of statements) expect.soft(await readWhole(statement), statement.text).toEqual([]);
    });
  });

  test("the replay of flow rules reads the log by index, in pages", async () => {
    const input = { name: "new", when: ["private"], restrict: [{ is: "outward" }] };
    const statements = await sentBy(async () => {
      const read = async () => (await readFlowImpact({ resource: "flows", input, days: 1 })).result;
      const result = await vi.waitUntil(() => read().catch(() => null), { timeout: 60_000, interval: 50 });
      expect(result?.calls).toBeGreaterThan(3_000);
    });
    const pages = statements.filter(({ text }) => text.includes("execution_outcome"));
    expect(pages.length).toBeGreaterThan(1);
    for (const statement of statements.filter(({ text }) => /execution|audit_event/.test(text)))
      expect.soft(await readWhole(statement), statement.text).toEqual([]);
  }, 90_000);
});
