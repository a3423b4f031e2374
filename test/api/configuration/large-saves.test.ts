import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { PUT as PUT_CONFIG } from "@/app/api/admin/config/route";
import { POST as APPROVE } from "@/app/api/admin/requests/[id]/approve/route";
import { POST as BYPASS } from "@/app/api/admin/requests/[id]/bypass/route";
import { POST as REVERT } from "@/app/api/admin/requests/[id]/revert/route";
import { POST as RESTORE } from "@/app/api/admin/revisions/[number]/restore/route";
import type { HeldChange } from "@/lib/contracts/changes/request";
import type { Handler } from "@/lib/http/route";
import { write, type Actor } from "@/lib/store/save/write";
import { ask, type Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";
import { setReview } from "@/test/support/set-review";
import { statementsOf } from "@/test/support/statements";

const database = useDatabase();
const PROGRAM: Actor = { kind: "system", name: "test", role: "admin" };
const TOOLS = 200;

const put = (description: string, tools: number): Promise<Got> => {
  const document = {
    apiVersion: "quartermaster/v1",
    sources: [{ name: "crm", kind: "http" }],
    tools: Array.from({ length: tools }, (_, at) => ({
      id: `crm:t${at}`,
      description,
      inputSchema: { type: "object" },
      groups: [],
    })),
  };
  return ask(PUT_CONFIG, "PUT", "/api/admin/config", { body: document });
};

/** A change of all tools that waits for a second person. */
async function held(description: string, tools = TOOLS): Promise<HeldChange["request"]> {
  const answer = await put(description, tools);
  expect([answer.status, answer.text]).toEqual([202, expect.any(String)]);
  return (answer.json as unknown as HeldChange).request;
}

const answer = (handler: Handler, verb: string, { id, hash }: HeldChange["request"], role: "admin" | "editor") =>
  ask(handler, "POST", `/api/admin/requests/${id}/${verb}`, {
    params: { id },
    role,
    body: verb === "revert" ? {} : { hash, ...(verb === "bypass" && { reason: "now" }) },
  });

beforeEach(async () => {
  await setReview("off");
  await signIn("admin");
  await signIn("editor");
  if ((await put("first", 0)).status !== 200) throw new Error("The first row was not saved.");
  await setReview("all");
});

/** The number of statements of a request that is answered with 200. */
async function statementsFor(work: () => Promise<Got>): Promise<number> {
  const got: string[] = [];
  const statements = await statementsOf(async () => {
    const { status, text } = await work();
    if (status !== 200) got.push(text);
  });
  expect(got).toEqual([]);
  return statements.length;
}

describe("a save of many rows", () => {
  it("may take minutes, as that of tens of thousands of tools does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const after = { name: "slow", description: "", capabilities: [], sampleClaims: {} };
    const { changes } = await write(PROGRAM, async (stored) => {
      await stored.all("personas");
      await vi.advanceTimersByTimeAsync(4 * 60_000);
      return [{ resource: "personas", action: "create", after }];
    });
    expect(changes).toHaveLength(1);
  });

  it("reads them together, when it is approved, applied without review, reverted and restored", async () => {
    const made = await held("first");
    const created = await statementsFor(() => answer(APPROVE, "approve", made, "editor"));
    const edited = await held("second");
    const updated = await statementsFor(() => answer(APPROVE, "approve", edited, "editor"));
    const urgent = await held("third");
    const bypassed = await statementsFor(() => answer(BYPASS, "bypass", urgent, "admin"));
    const reverted = await statementsFor(() => answer(REVERT, "revert", urgent, "editor"));
    await setReview("off");
    const [row] = await database.query<{ revision: number }>(`select revision from request where id = '${made.id}'`);
    const params = { number: String(row?.revision) };
    const restored = await statementsFor(() =>
      ask(RESTORE, "POST", `/api/admin/revisions/${params.number}/restore`, { params }),
    );
    const counts = { created, updated, bypassed, reverted, restored };
    expect(Object.entries(counts).filter(([, count]) => count >= TOOLS)).toEqual([]);
  }, 60_000);
});
