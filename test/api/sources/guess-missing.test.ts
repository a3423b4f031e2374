import { beforeEach, describe, expect, it, vi } from "vitest";
import { POST } from "@/app/api/admin/bulk/[section]/route";
import { POST as impact } from "@/app/api/admin/flow-impact/route";
import * as list from "@/app/api/admin/flow-guesses/route";
import * as answer from "@/app/api/admin/flow-guesses/answer/route";
import { POST as restore } from "@/app/api/admin/revisions/[number]/restore/route";
import { requestOf } from "@/lib/access/model/request";
import { resolve } from "@/lib/access/decide/resolve";
import type { BulkOutput } from "@/lib/contracts/changes/bulk";
import type { FlowImpactOutput } from "@/lib/contracts/decisions/flow-impact";
import { stores } from "@/lib/store/config/index";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { save } from "@/test/api/agents-world";
import { writeLog } from "@/test/api/flow/impact-world";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { setReview } from "@/test/support/set-review";

// The guess of tools that were imported before imports guessed flow (docs/reference/decision.md#flow-guesses).

const database = useDatabase();

const inputSchema = { type: "object" };
const GET = { description: "Reads.", inputSchema, method: "GET", path: "/mails", run: http("/mails") };
const MCP = { description: "Sends.", inputSchema, run: { kind: "mcp", tool: "send" } };
const WORLD = {
  apiVersion: "quartermaster/v1",
  sources: [
    { name: "mail", kind: "openapi", url: "https://mail.example" },
    { name: "chat", kind: "mcp", url: "https://chat.example/mcp" },
    { name: "hand", kind: "http", url: "https://hand.example" },
  ],
  tools: [
    { id: "mail:list", ...GET },
    { id: "mail:stated", ...GET, path: "/stated", flow: { raises: ["private"], is: [] } },
    { id: "mail:guessed", ...GET, path: "/guessed", flowGuess: [{ kind: "is", word: "outward", from: "method GET" }] },
    { id: "mail:written", description: "Written by a person.", inputSchema, run: http("/written") },
    { id: "chat:send", ...MCP, annotations: { openWorldHint: false } },
    { id: "hand:list", ...GET },
  ],
  groups: [{ name: "all", selectors: [{ source: "*" }] }],
  policies: [{ name: "all", everyone: true, groups: ["all"] }],
  labels: ["private", "untrusted"].map((name) => ({ name, scope: "caller" })),
  flows: [{ name: "guard", when: ["untrusted"], restrict: [{ is: "outward" }] }],
};

function http(path: string) {
  return { kind: "http", method: "GET", url: `https://mail.example${path}`, parameters: [] };
}

const guess = (query: object = {}, sent: Sent & { dryRun?: boolean } = {}) =>
  ask<BulkOutput>(POST, "POST", `/api/admin/bulk/tools${sent.dryRun === true ? "?dryRun=true" : ""}`, {
    params: { section: "tools" },
    body: { rows: { query }, change: { kind: "guess_flow" } },
    ...sent,
  });
const unguessed = async () => (await ask(list.GET, "GET", "/api/admin/flow-guesses")).json["unguessed"];
const undo = ({ revision }: BulkOutput) =>
  ask(restore, "POST", `/api/admin/revisions/${revision - 1}/restore`, {
    params: { number: String(revision - 1) },
    headers: { "if-match": `"${revision}"` },
  });
const guessOf = async (id: string) => (await stores.tools.get(id)).flowGuess;

async function visible(labels: string[]): Promise<string[]> {
  const { index } = await currentSnapshot();
  return resolve(index, { ...requestOf({}), labels }, Date.now()).tools.map(({ tool }) => tool.id);
}

beforeEach(async () => {
  await setReview("off");
  // A document takes no guess away, so each test begins with new tools.
  await save({ ...WORLD, tools: [] });
  await save(WORLD);
});

describe("guessing the flow of tools that state none", () => {
  it("is planned with its impact, and saves nothing", async () => {
    expect(await unguessed()).toBe(2);
    const { status, json } = await guess({}, { dryRun: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({ matching: 6, changing: 2, errors: [], impact: { callers: expect.any(Array) } });
    expect(json.rows).toEqual([
      {
        id: "chat:send",
        before: null,
        after: [
          { kind: "raises", word: "untrusted", from: "openWorldHint: false, which removes nothing" },
          { kind: "is", word: "outward", from: "openWorldHint: false, which removes nothing" },
        ],
      },
      {
        id: "mail:list",
        before: null,
        after: expect.arrayContaining([{ kind: "raises", word: "private", from: "method GET" }]),
      },
    ]);
    expect([await guessOf("mail:list"), await unguessed()]).toEqual([null, 2]);
  });

  it("is replayed on past calls, for the same tools as the change", async () => {
    const at = Date.now() - 60_000;
    const rest = { subject: "sam", session: null, parent: null, outcome: "succeeded" } as const;
    const calls = ["mail:list", "mail:list", "chat:send", "mail:guessed"].map((toolId, n) => ({
      ...rest,
      callId: `call-${n}`,
      at: at + n * 1_000,
      toolId,
    }));
    await writeLog(database, { calls, clears: [] });
    const stopped = async (rows: object) => {
      const read = async () => {
        const body = { guess: rows };
        const { json } = await ask<FlowImpactOutput>(impact, "POST", "/api/admin/flow-impact", {
          body,
          role: "auditor",
        });
        return json.result;
      };
      const result = await vi.waitUntil(read, { timeout: 30_000, interval: 20 });
      return result?.stopped.calls.map(({ callId }) => callId).toReversed();
    };
    // The first call of `mail:list` raises `untrusted`, and every tool is `outward`.
    expect(await stopped({ query: {} })).toEqual(["call-1", "call-2", "call-3"]);
    expect(await stopped({ query: { source: "chat" } })).toEqual(["call-3"]);
    expect(await stopped({ ids: ["chat:send", "hand:list"] })).toEqual(["call-3"]);
    expect([await guessOf("mail:list"), await unguessed()]).toEqual([null, 2]);
  });

  it("guesses only imported tools, binds at once, and can be undone", async () => {
    const before = await visible(["untrusted"]);
    expect(before).toContain("mail:list");
    const { json } = await guess();
    expect(json).toMatchObject({ changing: 2 });
    expect(await unguessed()).toBe(0);
    expect(await visible(["untrusted"])).toEqual(["hand:list", "mail:stated", "mail:written"]);
    const [saved] = await database.query<{ note: string }>("select note from revision where number = $1", [
      json.revision,
    ]);
    expect(saved?.note).toBe("guessed the flow of tools");
    expect((await undo(json)).status).toBe(200);
    expect([await visible(["untrusted"]), await unguessed()]).toEqual([before, 2]);
  });

  it("guesses the tools of one source, and those that an admin selects", async () => {
    expect((await guess({ source: "chat" })).json).toMatchObject({ matching: 1, changing: 1 });
    expect([await guessOf("mail:list"), await unguessed()]).toEqual([null, 1]);
  });

  it("does not ask a person again who answered that a tool has no flow", async () => {
    await guess();
    const { revision } = await stores.tools.get("chat:send");
    const nothing = { rows: { items: [{ id: "chat:send", revision }] }, flow: { raises: [], is: [] } };
    expect((await ask(answer.POST, "POST", "/api/admin/flow-guesses/answer", { body: nothing })).status).toBe(200);
    expect([await guessOf("chat:send"), await unguessed()]).toEqual([[], 0]);
    expect((await guess()).json).toMatchObject({ changing: 0 });
    const page = (await ask(list.GET, "GET", "/api/admin/flow-guesses")).json as unknown as { items: { id: string }[] };
    expect(page.items.map(({ id }) => id)).toEqual(["mail:guessed", "mail:list"]);
    expect((await ask(answer.POST, "POST", "/api/admin/flow-guesses/answer", { body: nothing })).status).toBe(409);
  });

  it("does not wait for a review, because it only restricts; its undo waits", async () => {
    await setReview("widening");
    const guessed = await guess();
    expect(guessed.status).toBe(200);
    expect((await undo(guessed.json)).status).toBe(202);
  });

  it("is refused for other rows, and for people who may not change the configuration", async () => {
    expect((await guess({}, { role: "auditor" })).status).toBe(403);
    const groups = await ask(POST, "POST", "/api/admin/bulk/groups", {
      params: { section: "groups" },
      body: { rows: { query: {} }, change: { kind: "guess_flow" } },
    });
    expect(groups).toMatchObject({ status: 400, json: { errors: [{ path: "change.kind" }] } });
  });

  it("guesses 10,000 tools as one revision", async () => {
    await database.query(
      `insert into tool select (jsonb_populate_record(tool, jsonb_build_object('id', 'mail:t' || n, 'operation', 't' || n,
         'name', 'mail_t' || n, 'path', '/t' || n))).* from tool, generate_series(1, 10000) n where id = 'mail:list'`,
    );
    expect(await unguessed()).toBe(10_002);
    expect((await guess()).json).toMatchObject({ changing: 10_002 });
    expect(await unguessed()).toBe(0);
  }, 60_000);
});
