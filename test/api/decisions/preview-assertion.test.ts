import { afterAll, beforeAll, expect, test } from "vitest";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { setUp } from "@/bin/first-start";
import { completeBody, BLANK_DRAFT, toFreeDraft, type PreviewDraft } from "@/components/preview/draft";
import { toAssertion, type Expectation } from "@/components/preview/to-assertion";
import { atOnce } from "@/lib/access/model/parts";
import { runAssertionsOn } from "@/lib/config/assertions";
import { assertionInput } from "@/lib/resources/assertion";
import { previewOutput, type PreviewOutput } from "@/lib/contracts/decisions/preview";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot, currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// The preview page turns an answer into an assertion, or into free inputs. Both lead to the same tools as the answer.

useDatabase();
let call: string;

beforeAll(async () => {
  const bot = new Client((await setUp({ demo: true })).apiKey ?? "");
  const made = await bot.call({
    tool_id: "support:get_order",
    arguments: { order_id: "O-5001" },
    state: "investigating",
  });
  call = made.json.call_id;
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

/** The page's inputs of every kind. */
function drafts(): readonly PreviewDraft[] {
  const of = (part: Partial<PreviewDraft>): PreviewDraft => ({ ...BLANK_DRAFT, ...part });
  const persona = (name: string): PreviewDraft["caller"] => ({ kind: "persona", name });
  return [
    of({}),
    of({ caller: persona("contractor") }),
    of({ caller: persona("first-line"), machine: "ticket-desk", state: "investigating" }),
    of({ caller: persona("first-line"), capabilities: [] }),
    of({ caller: persona("supervisor"), group: { kind: "chosen", names: ["support-read"] } }),
    of({ caller: persona("supervisor"), group: { kind: "default" }, profile: "subagent" }),
    of({ caller: persona("first-line"), intent: "KNOWLEDGE", confidence: 0.95 }),
    of({ caller: persona("first-line"), intent: "KNOWLEDGE", confidence: 0.95, escalated: true }),
    of({ caller: { kind: "agent", name: "support-bot" }, state: "investigating" }),
    of({ caller: { kind: "execution", id: call } }),
    of({ claimsText: '{ "team": "support", "roles": ["refunds"], "employment": "staff" }', includeDisabled: true }),
  ];
}

async function preview(draft: PreviewDraft): Promise<PreviewOutput> {
  const got = await ask(previewRoute, "POST", "/api/admin/preview", { body: completeBody(draft) });
  expect([got.status, got.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return previewOutput.parse(got.json);
}

test("an assertion made of an answer holds under the rules that gave it, and names its tools", async () => {
  const { index } = await currentSnapshot();
  for (const draft of drafts()) {
    const answer = await preview(draft);
    const selected = [answer.tools[0]?.toolId, answer.hidden[0]?.toolId].filter((id) => id !== undefined);
    const asserted: readonly [Expectation, string | null][] = [
      ["exactly", null],
      ["at_least", null],
      ...selected.map((id) => ["selected", id] as [Expectation, string]),
    ];
    for (const [expectation, tool] of asserted) {
      const made = assertionInput.parse({ name: "made", ...toAssertion(answer, draft, expectation, tool) });
      const [result] = atOnce(runAssertionsOn(index, [made], Date.now()));
      expect([draft.caller, expectation, tool, result?.problems]).toEqual([draft.caller, expectation, tool, []]);
      expect(made.expect.visible.length + made.expect.hidden.length).toBe(tool === null ? answer.tools.length : 1);
    }
  }
});

test("the inputs of an answer, as free ones, get the same answer", async () => {
  for (const draft of drafts()) {
    const answer = await preview(draft);
    const free = await preview(toFreeDraft(answer));
    expect([draft.caller, free.etag, free.mode]).toEqual([draft.caller, answer.etag, answer.mode]);
  }
});
