import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "@/lib/access/model/configuration";
import { storedName, storedSentence } from "@/lib/audit/record/redact";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { connect, serveMcp } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import { seeded } from "@/test/support/seeded";

// No text of a request or of an upstream's answer makes a row of the log unwritable.

const database = useDatabase();
let key: string;
beforeAll(async () => {
  const document = supportDocument() as { policies: object[] };
  await save({ ...document, policies: [...document.policies, { name: "all", everyone: true, groups: ["helpers"] }] });
  key = await keyOf("reader");
});

const PIECES = [
  "\0",
  "\uD800",
  "\uDC00",
  "\uD83D\uDE00",
  "a",
  "\u0001",
  "\uFFFF",
  "\\u0000",
  '"',
  "\\",
  "\n",
  "漢",
  "%00",
  "\u202E",
];

function hostile(random: () => number, most: number): string {
  const length = Math.floor(random() * most);
  return Array.from({ length }, () => PIECES[Math.floor(random() * PIECES.length)]).join("");
}

/** Rows of the log: intents, and intents with an outcome. */
async function rows(): Promise<readonly [number, number]> {
  const [row] = await database.query<{ intents: number; ends: number }>(
    `select (select count(*)::int from execution) as intents, (select count(*)::int from execution_outcome) as ends`,
  );
  return [row?.intents ?? 0, row?.ends ?? 0];
}

it.each(["secret:list_items", "token:refresh-all", "api-key:list"])(
  "an unknown tool id of words is logged as it is: %s",
  (id) => {
    expect(storedName(id)).toBe(id);
  },
);

it.each([
  "secret:hunter2000",
  "password: correcthorsebatterystaple",
  "token:abcdefghijklmnopqrstuvwxyz",
  "sk_live_abcdefghij:list",
])("a name that states a secret is masked: %s", (name) => {
  expect(storedName(name)).toContain("[redacted]");
});

describe("an upstream's answer of any text", () => {
  it("is logged, as an output, an error, its details and their keys", async () => {
    const random = seeded(8);
    const answers: object[] = [];
    for (let turn = 0; turn < 40; turn += 1) {
      const text = hostile(random, turn % 4 === 0 ? 8_000 : 40);
      const nested: Json = { [text]: [text, { [text.slice(0, 50)]: text }] };
      const failure = { code: "upstream_error", message: text, details: nested };
      answers.push(turn % 2 === 0 ? { success: false, error: failure } : { success: true, output: nested });
    }
    const waiting = [...answers];
    const { runners } = production();
    const builtin = async () => ({ ...waiting.shift(), upstreamMs: 1, attempts: 1 }) as never;
    const caller = new Client(key, () => ({ ...production(), runners: { ...runners, builtin } }));
    const before = await rows();
    while (waiting.length > 0) {
      const got = await caller.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } });
      expect(got.json.error?.code).not.toBe("interrupted");
    }
    const after = await rows();
    expect([after[0] - before[0], after[1] - before[1]]).toEqual([answers.length, answers.length]);
  });
});

describe("a request of any text", () => {
  const fields = (text: string) => [
    { name: text },
    { tool_id: text },
    { name: "calculate", state: text },
    { name: "calculate", group: [text, "helpers"] },
    { name: "calculate", intent: text },
    { name: "calculate", machine: text },
    { name: "calculate", profile: text },
    { name: "calculate", session_id: text.slice(0, 64) },
    { name: "calculate", arguments: { expression: "1", [text]: { [text]: text } } },
  ];

  it("leaves a whole row, or is refused before it is a call", async () => {
    const random = seeded(36);
    const caller = new Client(key);
    for (let turn = 0; turn < 6; turn += 1)
      for (const body of fields(hostile(random, turn % 2 === 0 ? 6_000 : 150))) {
        const before = await rows();
        const got = await caller.call<{ code?: string; status?: string }>({ arguments: { expression: "1" }, ...body });
        const after = await rows();
        const isCall = typeof got.json.status === "string";
        expect([got.status < 500, after[0] - before[0], after[1] - before[1]]).toEqual([
          true,
          isCall ? 1 : 0,
          isCall ? 1 : 0,
        ]);
      }
  });

  it("with a tool's name of 6,000 characters leaves a row that shows that it was cut, through the MCP door", async () => {
    const endpoint = await serveMcp();
    for (const era of ["2025-11-25", "2026-07-28"] as const) {
      const { client } = await connect(endpoint, { credential: key, era });
      const before = await rows();
      await client.callTool({ name: "x".repeat(6_000), arguments: {} }).catch(() => {});
      const after = await rows();
      expect([after[0] - before[0], after[1] - before[1]]).toEqual([1, 1]);
      const [row] = await database.query<{ asked: string }>("select asked from execution order by at desc limit 1");
      expect(row?.asked).toBe(`${"x".repeat(199)}…`);
      await client.close();
    }
    await endpoint.close();
  });
});

it("a stored name has 200 characters at most and a stored sentence 500, both with a mark and no half character", () => {
  const random = seeded(1);
  for (let turn = 0; turn < 200; turn += 1) {
    const text = hostile(random, 2_000);
    for (const [stored, most] of [
      [storedName(text), 200],
      [storedSentence(text, []), 500],
    ] as const) {
      expect(stored.length).toBeLessThanOrEqual(most);
      expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
      expect(Buffer.byteLength(stored)).toBeLessThan(2_000);
    }
  }
  expect(storedName("a".repeat(201))).toBe(`${"a".repeat(199)}…`);
});
