import { beforeAll, describe, expect, it, vi } from "vitest";
import * as list from "@/app/api/admin/flow-guesses/route";
import * as answer from "@/app/api/admin/flow-guesses/answer/route";
import * as item from "@/app/api/admin/imports/[id]/route";
import { importJob } from "@/lib/contracts/sources/import-job";
import { restoreRevision } from "@/lib/admin/revision-diff";
import { draftOfDocument } from "@/lib/config/draft";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { atOnce } from "@/lib/access/model/parts";
import { applyDocument, planDocument, readDocument } from "@/lib/store/save/config-document";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { raisesOfCall } from "@/lib/calls/pipeline/labels";
import { applyImport } from "@/lib/sources/import/apply-import";
import { startImport } from "@/lib/sources/import/import";
import { toolInput } from "@/lib/resources/tool";
import { stores } from "@/lib/store/config/index";
import { toValue } from "@/lib/store/config/tables";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { requestOf } from "@/lib/access/model/request";
import { resolve } from "@/lib/access/decide/resolve";
import { ADMIN, save } from "@/test/api/agents-world";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// What an import guesses binds until a person answers it (docs/reference/decision.md#flow-guesses).

useDatabase();

const LABELS = [
  { name: "private", scope: "caller", holdMinutes: 60 },
  { name: "untrusted", scope: "caller", holdMinutes: 60 },
];
const RULE = { name: "guard", when: ["untrusted"], restrict: [{ is: "outward" }] };

const read = async (query = "") =>
  (await ask(list.GET, "GET", `/api/admin/flow-guesses${query}`, { role: "auditor" })).json;
const say = (body: object, sent: Sent = {}) =>
  ask(answer.POST, "POST", "/api/admin/flow-guesses/answer", { body, ...sent });
/** The tools as a person sees them now. */
const seen = async (...toolIds: string[]) => ({
  items: await Promise.all(toolIds.map(async (id) => ({ id, revision: (await stores.tools.get(id)).revision }))),
});
const ids = (page: { items: readonly Record<string, unknown>[] }) => page.items.map(({ id }) => id);

async function visible(labels: string[]): Promise<string[]> {
  const { index } = await currentSnapshot();
  return resolve(index, { ...requestOf({}), labels }, Date.now()).tools.map(({ tool }) => tool.id);
}

async function raised(toolId: string): Promise<string[]> {
  const call = { callId: "c", toolId, sessionId: null, at: new Date() };
  return raisesOfCall(call, await currentSnapshot()).map(({ label }) => label);
}

let importId = "";

beforeAll(async () => {
  await save({
    apiVersion: "quartermaster/v1",
    groups: [{ name: "mail", selectors: [{ source: "mail" }] }],
    policies: [{ name: "all", everyone: true, groups: ["mail"] }],
    labels: LABELS,
    flows: [RULE],
  });
  const paths = { "/mails": { get: { operationId: "list" }, post: { operationId: "send" } } };
  const servers = [{ url: "https://mail.example" }];
  importId = await startImport(ADMIN, { source: "mail", document: { openapi: "3.1.0", servers, paths } });
  await vi.waitUntil(async () => (await getImportJob(importId)).status !== "running", { timeout: 30_000 });
  await applyImport(ADMIN, importId, { operations: "all", groups: [] });
});

describe("a guess", () => {
  it("is part of the plan of the import", async () => {
    const { json } = await ask(item.GET, "GET", `/api/admin/imports/${importId}`, { params: { id: importId } });
    const { plan } = importJob.parse(json);
    expect(plan.added.map(({ toolId, flowGuess }) => [toolId, flowGuess?.map(({ word }) => word)])).toEqual([
      ["mail:list", ["private", "untrusted", "outward"]],
      ["mail:send", ["untrusted", "outward"]],
    ]);
  });

  it("is listed with what it was guessed from", async () => {
    const page = await read();
    expect(ids(page)).toEqual(["mail:list", "mail:send"]);
    expect(page.items[1]).toMatchObject({
      flow: { raises: [], is: [] },
      flowGuess: [
        { kind: "raises", word: "untrusted", from: "method POST" },
        { kind: "is", word: "outward", from: "method POST" },
      ],
    });
    expect(ids(await read("?guess=private"))).toEqual(["mail:list"]);
    expect(ids(await read("?method=POST&source=mail"))).toEqual(["mail:send"]);
  });

  it("binds: its labels are raised, and rules restrict its class", async () => {
    expect(await raised("mail:list")).toEqual(["private", "untrusted"]);
    expect(await visible([])).toEqual(["mail:list", "mail:send"]);
    expect(await visible(["untrusted"])).toEqual([]);
  });

  it.each(["replace", "merge"] as const)("is not lifted by an older document (%s): the plan warns", async (mode) => {
    const { document } = await readDocument();
    const stated = {
      ...document,
      // An export of the time before guesses; in a merge, somebody states "none".
      tools: document.tools?.map((tool) => ({ ...tool, guidance: mode, flowGuess: mode === "merge" ? [] : null })),
    };
    const wanted = mode === "merge" ? { merge: stated } : stated;
    const plan = await planDocument(ADMIN, wanted);
    const warned = Object.fromEntries(plan.warnings.map(({ path, message }) => [path, message]));
    expect(warned["tools[mail:list].flowGuess"]).toContain("keeps the guess `private`, `untrusted`, `outward`");
    expect(warned["tools[mail:send].flowGuess"]).toContain("keeps the guess `untrusted`, `outward`");
    await applyDocument(ADMIN, wanted);
    expect((await stores.tools.get("mail:list")).guidance).toBe(mode);
    expect(await raised("mail:list")).toEqual(["private", "untrusted"]);
    expect(await visible(["untrusted"])).toEqual([]);
    expect((await planDocument(ADMIN, wanted)).changed).toBe(0);
    const parsed = parseDocument(stated);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const drafted = atOnce(draftOfDocument(toConfiguration(document), parsed.document));
    expect(drafted.tools.map(({ flowGuess }) => flowGuess?.length)).toEqual([3, 2]);
  });

  it("that a document confirms is over, and the words that it does not state stay", async () => {
    const { document, revision } = await readDocument();
    const flow = { raises: ["untrusted"], is: ["outward"] };
    const stated = { ...document, tools: document.tools?.map((tool) => ({ ...tool, flow, flowGuess: null })) };
    await applyDocument(ADMIN, stated);
    expect((await stores.tools.get("mail:send")).flowGuess).toBeNull();
    expect((await stores.tools.get("mail:list")).flowGuess?.map(({ word }) => word)).toEqual(["private"]);
    await restoreRevision(ADMIN, revision);
  });

  it("can be answered only by somebody who may change the configuration", async () => {
    const body = { rows: await seen("mail:send"), flow: null };
    expect((await say(body, { role: "auditor" })).status).toBe(403);
  });

  it.each([null, { raises: [], is: ["outward"] }])(
    "is not answered for a tool that changed since (%j)",
    async (flow) => {
      const items = (await read()).items.map(({ id, revision }) => ({ id, revision }));
      const tool = toolInput.parse(toValue("tools", await stores.tools.get("mail:list")));
      const stated = { raises: ["private"], is: [] };
      await stores.tools.replace(ADMIN, "mail:list", { ...tool, flow: stated }, "*");
      const refused = await say({ rows: { items }, flow });
      expect(refused).toMatchObject({ status: 409, json: { code: "stale" } });
      expect(refused.json["detail"]).toContain("`mail:list`");
      expect(await stores.tools.get("mail:list")).toMatchObject({ flow: stated, flowGuess: [{}, {}, {}] });
      expect((await stores.tools.get("mail:send")).flowGuess).toHaveLength(2);
      await stores.tools.replace(ADMIN, "mail:list", tool, "*");
    },
  );

  it("that is replaced no longer binds, and is over", async () => {
    const replaced = await say({ rows: await seen("mail:list"), flow: { raises: ["private"], is: [] } });
    expect(replaced).toMatchObject({ status: 200, json: { answered: 1 } });
    expect(await stores.tools.get("mail:list")).toMatchObject({
      flow: { raises: ["private"], is: [] },
      flowGuess: null,
    });
    expect(await visible(["untrusted"])).toEqual(["mail:list"]);
    expect((await say({ rows: await seen("mail:list"), flow: null })).status).toBe(409);
    expect((await say({ rows: { items: [{ id: "mail:none", revision: 1 }] }, flow: null })).status).toBe(404);
    expect(ids(await read())).toEqual(["mail:send"]);
  });

  it("raises no label that an admin deleted, and binds again once the label exists", async () => {
    const apiVersion = "quartermaster/v1";
    await save({ apiVersion, labels: LABELS.slice(0, 1), flows: [] });
    expect(await raised("mail:send")).toEqual([]);
    await save({ apiVersion, labels: LABELS, flows: [RULE] });
    expect(await raised("mail:send")).toEqual(["untrusted"]);
  });

  it("that is confirmed becomes the tool's flow, here for all that a query finds", async () => {
    expect((await say({ rows: { query: { q: "mail" } }, flow: null })).json).toMatchObject({ answered: 1 });
    expect(await stores.tools.get("mail:send")).toMatchObject({
      flow: { raises: ["untrusted"], is: ["outward"] },
      flowGuess: null,
    });
    expect(await visible(["untrusted"])).toEqual(["mail:list"]);
    expect(await read()).toMatchObject({ items: [], total: 0 });
  });
});
