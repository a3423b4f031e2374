import { beforeAll, describe, expect, it } from "vitest";
import { GET as observationsRoute } from "@/app/api/admin/observations/route";
import type { Observations } from "@/lib/contracts/decisions/observations";
import { eraseBodies } from "@/lib/store/audit/erasures";
import { flushObserved } from "@/lib/store/observed/record";
import { ADMIN, Client, idsOf, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// An observed rule changes no answer, and counts what it would change (docs/reference/governance.md#observe).

const database = useDatabase();

const SEARCH = { tool_id: "support:search_knowledge", arguments: { query: "refund" } };
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const NEVER = { claim: "sub", operator: "equals", value: "nobody-like-this" };

let reader: Client;

async function observing(policies: readonly object[], more: object = {}): Promise<void> {
  const document = supportDocument() as { policies: object[] };
  await save({ ...document, ...more, policies: [...document.policies, ...policies] });
}

async function read(kind: string, rule: string): Promise<Observations> {
  await flushObserved();
  const headers = await signIn("auditor");
  const answer = await observationsRoute(
    new Request(`${ORIGIN}/api/admin/observations?kind=${kind}&rule=${rule}`, { headers }),
    {} as never,
  );
  expect(answer.status).toBe(200);
  return (await answer.json()) as Observations;
}

beforeAll(async () => {
  await observing([]);
  reader = new Client(await keyOf("reader"));
});

describe("an observed deny", () => {
  it("changes no answer, and names the calls and tools that it would take", async () => {
    const before = await reader.list();
    await observing([{ name: "watched", effect: "deny", everyone: true, groups: ["*"], mode: "observe" }]);
    const after = await reader.list();
    expect(after.headers.get("etag")).toBe(before.headers.get("etag"));
    const call = await reader.call(CALCULATE);
    expect(call.json.status).toBe("succeeded");
    const found = await read("policy", "watched");
    expect(found).toMatchObject({ observed: true, calls: 1, refused: 1, allowed: 0, shown: { tools: 0, callers: 0 } });
    expect(found.hidden).toMatchObject({ tools: idsOf(before.json).length, callers: 1 });
    expect(found.items).toEqual([
      expect.objectContaining({
        callId: call.json.call_id,
        toolId: "builtin:calculate",
        caller: "reader",
        change: "refused",
        wouldBe: { visible: false, reason: "denied_by_policy", rule: "watched" },
      }),
    ]);
  });

  it("leaves no trace in the sealed row of the call", async () => {
    const [row] = await database.query<{ policies: string[]; text: string }>(
      `select policies, to_jsonb(execution)::text as text from execution where "toolId" = 'builtin:calculate'
       order by at desc limit 1`,
    );
    expect(row?.text).not.toContain("watched");
  });

  it("begins its counts again when the rule is edited", async () => {
    await observing([
      { name: "watched", effect: "deny", everyone: true, groups: ["*"], mode: "observe", description: "Edited" },
    ]);
    expect(await read("policy", "watched")).toMatchObject({ calls: 0, refused: 0, items: [] });
  });
});

describe("the observations of an erased caller", () => {
  it("are gone, also those that were not written yet", async () => {
    await reader.call(CALCULATE);
    expect(await read("policy", "watched")).toMatchObject({ refused: 1 });
    await reader.call(CALCULATE);
    await reader.list();
    await eraseBodies({ actor: ADMIN, requestId: null }, { issuer: "quartermaster", subject: "reader" });
    expect(await read("policy", "watched")).toMatchObject({ refused: 0, items: [], hidden: { tools: 0, callers: 0 } });
  });
});

describe("an observed rule that does not match", () => {
  it("counts nothing", async () => {
    await observing([{ name: "others", effect: "deny", matchers: [NEVER], groups: ["*"], mode: "observe" }]);
    await reader.call(CALCULATE);
    await reader.list();
    expect(await read("policy", "others")).toMatchObject({ calls: 0, refused: 0, hidden: { tools: 0 } });
  });
});

describe("an observed flow rule", () => {
  it("counts the calls that the held labels would take", async () => {
    const document = supportDocument() as { tools: { id: string }[]; labels: object[] };
    const flow = { raises: ["seen"], is: [] };
    await observing([], {
      tools: document.tools.map((tool) => (tool.id === SEARCH.tool_id ? { ...tool, flow } : tool)),
      labels: [...document.labels, { name: "seen", scope: "caller", holdMinutes: 60 }],
      flows: [{ name: "watched-flow", when: ["seen"], restrict: [{ tool: SEARCH.tool_id }], mode: "observe" }],
    });
    expect((await reader.call(SEARCH)).json.status).toBe("succeeded");
    expect((await reader.call(SEARCH)).json.status).toBe("succeeded");
    expect(await read("flow", "watched-flow")).toMatchObject({
      calls: 1,
      refused: 1,
      items: [{ toolId: SEARCH.tool_id, wouldBe: { visible: false, reason: "flow_restricted", rule: "watched-flow" } }],
    });
  });
});
