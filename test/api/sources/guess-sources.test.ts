import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as answer from "@/app/api/admin/flow-guesses/answer/route";
import { sourceInput } from "@/lib/resources/source";
import { applyImport } from "@/lib/sources/import/apply-import";
import { approveDrift } from "@/lib/sources/drift/decide-drift";
import { listDrift } from "@/lib/sources/drift/drift";
import { startImport } from "@/lib/sources/import/import";
import { startSync } from "@/lib/sources/sync";
import { getImportJob } from "@/lib/store/sources/import-jobs";
import { stores } from "@/lib/store/config/index";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { ADMIN, Client, idsOf, keyOf, save } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { startMcpServer, textResult, type FixtureTool, type McpServer } from "@/test/support/servers/mcp-server";
import { startTrainTravel, type TrainTravel } from "@/test/support/servers/train-travel";

// Guessed flow at imports and syncs from real servers (docs/reference/decision.md#flow-guesses).

const database = useDatabase();

let server: McpServer;
let trains: TrainTravel;
beforeAll(async () => {
  [server, trains] = await Promise.all([startMcpServer(), startTrainTravel()]);
  allowOutbound(server.host);
  allowOutbound(trains.host);
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([server.close(), trains.close()]);
});
beforeEach(async () => {
  await database.query("truncate source, source_sync, tool, drift, import_job, upstream_definition, held_label");
  await save({
    apiVersion: "quartermaster/v1",
    policies: [{ name: "all", everyone: true, groups: ["*"] }],
    agents: [{ name: "caller" }],
    labels: ["private", "untrusted"].map((name) => ({ name, scope: "caller", holdMinutes: 60 })),
    flows: [{ name: "guard", when: ["untrusted"], restrict: [{ is: "outward" }] }],
  });
});

const says = (annotations?: FixtureTool["annotations"]): FixtureTool => ({
  description: "Reads.",
  ...(annotations !== undefined && { annotations }),
  run: () => textResult("Read."),
});

async function ended(id: string, status: string): Promise<void> {
  await vi.waitUntil(async () => ["failed", status].includes((await getImportJob(id)).status), { timeout: 15_000 });
  expect(await getImportJob(id)).toMatchObject({ status, error: null });
}

async function importAll(source: string, url?: string): Promise<void> {
  const id = await startImport(ADMIN, { source, ...(url !== undefined && { url }) });
  await ended(id, "planned");
  await applyImport(ADMIN, id, { operations: "all", groups: [] });
}

async function importMcp(tools: Record<string, FixtureTool>): Promise<void> {
  server.tools = tools;
  await stores.sources.create(ADMIN, sourceInput.parse({ name: "up", kind: "mcp", url: server.url }));
  await importAll("up");
}

/** How a source is read again. */
const AGAIN: Record<string, (source: string) => Promise<void>> = {
  "a sync": async (source) => ended(await startSync(ADMIN, source), "applied"),
  "an import": async (source) => importAll(source),
};

/** What the review says of a new tool. An import adds the tools that an admin chose at once. */
const FRESH: Record<string, string[]> = {
  "a sync": ["An approval adds guessed labels and classes, which flow rules use: raises `untrusted`, class `outward`."],
  "an import": [],
};

/** Words of a tool's guesses with their origin, as `raises private: readOnlyHint: true`; and its stated flow. */
async function flowOf(id: string): Promise<{ guess: string[] | null; flow: string[] }> {
  const { flow, flowGuess } = await stores.tools.get(id);
  return {
    guess: flowGuess?.map(({ kind, word, from }) => `${kind} ${word}: ${from}`) ?? null,
    flow: [...flow.raises, ...flow.is],
  };
}

async function say(id: string, flow: object | null) {
  const { revision } = await stores.tools.get(id);
  const body = { rows: { items: [{ id, revision }] }, flow };
  return ask(answer.POST, "POST", "/api/admin/flow-guesses/answer", { body });
}

const waiting = async () => (await listDrift({ limit: 50 })).items;
const notesOf = async (id: string) =>
  (await waiting()).find((item) => item.id === id)?.notes.map(({ text }) => text) ?? [];

describe("tools of an MCP server", () => {
  it("are guessed from their annotations, and no annotation takes a label or a class away", async () => {
    await importMcp({ plain: says(), reader: says({ readOnlyHint: true }), closed: says({ openWorldHint: false }) });
    expect(await flowOf("up:plain")).toEqual({
      guess: ["raises untrusted: no annotations", "is outward: no annotations"],
      flow: [],
    });
    expect((await flowOf("up:reader")).guess).toEqual([
      "raises private: readOnlyHint: true",
      "raises untrusted: openWorldHint not stated",
      "is outward: openWorldHint not stated",
    ]);
    expect((await flowOf("up:closed")).guess).toEqual([
      "raises untrusted: openWorldHint: false, which removes nothing",
      "is outward: openWorldHint: false, which removes nothing",
    ]);
  });

  it("bind at once: a call of one without annotations makes the caller untrusted, and hides all that are outward", async () => {
    await importMcp({ plain: says(), closed: says({ openWorldHint: false }) });
    const agent = new Client(await keyOf("caller"));
    expect(idsOf((await agent.list()).json)).toEqual(["up:closed", "up:plain"]);
    expect((await agent.call({ tool_id: "up:plain", arguments: {} })).json.output).toEqual("Read.");
    expect(idsOf((await agent.list()).json)).toEqual([]);
    const refused = await agent.call({ tool_id: "up:closed", arguments: {} });
    expect(refused.json.error).toMatchObject({ code: "tool_not_available", details: { flow_rules: ["guard"] } });
    await say("up:closed", { raises: [], is: [] });
    expect(idsOf((await agent.list()).json)).toEqual(["up:closed"]);
  });

  it.each(Object.keys(AGAIN))("keep what a person answered when %s finds other annotations", async (again) => {
    await importMcp({
      confirmed: says(),
      none: says({ openWorldHint: true }),
      open: says({ readOnlyHint: true }),
    });
    await say("up:confirmed", null);
    await say("up:none", { raises: [], is: [] });
    server.tools = {
      confirmed: says({ openWorldHint: false, readOnlyHint: true }),
      none: says({ openWorldHint: false }),
      open: says({ openWorldHint: false }),
      fresh: says({ openWorldHint: false }),
    };
    await AGAIN[again]!("up");
    // Quarantine hides a changed tool until a person approves the change. Its flow is as it was.
    expect(await flowOf("up:confirmed")).toEqual({ guess: null, flow: ["untrusted", "outward"] });
    expect(await notesOf("up:confirmed")).toContain(
      "An approval adds guessed labels and classes, which flow rules use: raises `private`.",
    );
    expect((await notesOf("up:none")).join()).not.toContain("guessed flow");
    expect((await notesOf("up:fresh")).slice(1)).toEqual(FRESH[again]);

    await approveDrift(ADMIN, await waiting());
    expect(await flowOf("up:confirmed")).toEqual({
      guess: ["raises private: readOnlyHint: true"],
      flow: ["untrusted", "outward"],
    });
    expect(await flowOf("up:none")).toEqual({ guess: [], flow: [] });
    expect((await flowOf("up:open")).guess).toEqual([
      "raises private: readOnlyHint: true",
      "raises untrusted: openWorldHint not stated",
      "is outward: openWorldHint not stated",
    ]);
    expect((await flowOf("up:fresh")).guess).toHaveLength(2);
  });

  it("of an older import get no guess by a sync, only what a changed annotation adds", async () => {
    await importMcp({ same: says(), changed: says() });
    await database.query(`update tool set "flowGuess" = null`);
    server.tools = { same: says(), changed: says({ readOnlyHint: true }) };
    await AGAIN["a sync"]!("up");
    await approveDrift(ADMIN, await waiting());
    expect([(await flowOf("up:same")).guess, (await flowOf("up:changed")).guess]).toEqual([
      null,
      ["raises private: readOnlyHint: true"],
    ]);
  });
});

describe("operations of an OpenAPI document", () => {
  it.each(Object.keys(AGAIN))("keep what a person answered, and new ones are guessed, by %s", async (again) => {
    await importAll("trains", trains.documentUrl);
    const [read, write] = ["trains:get-trips", "trains:create-booking"];
    expect((await flowOf(read)).guess).toEqual([
      "raises private: method GET",
      "raises untrusted: method GET",
      "is outward: method GET",
    ]);
    expect((await flowOf(write)).guess).toEqual(["raises untrusted: method POST", "is outward: method POST"]);
    await say(read, null);
    trains.edit(({ paths }) => {
      paths["/trips"]!["get"]!.description = `Other words of ${again}.`;
      paths["/bookings"]!["post"]!.description = `Other words of ${again}.`;
      paths[`/${again}`] = { get: { operationId: `later-${again}`, responses: { 200: { description: "Later." } } } };
    });
    await AGAIN[again]!("trains");
    await approveDrift(ADMIN, await waiting());
    expect(await flowOf(read)).toEqual({ guess: null, flow: ["private", "untrusted", "outward"] });
    expect((await flowOf(write)).guess).toHaveLength(2);
    expect((await flowOf(`trains:later-${again.replace(" ", "_")}`)).guess).toHaveLength(3);
    expect((await stores.tools.get(read)).description).toContain(`Other words of ${again}.`);
  });
});
