import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { PUT } from "@/app/api/admin/config/route";
import { parseDocument } from "@/lib/config/document";
import { configPlan, type ConfigPlan } from "@/lib/contracts/changes/config";
import { readDocument } from "@/lib/store/save/config-document";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const row = (type: string, key: string, value: unknown) => ({ type, key, value: JSON.stringify(value) });
const search = {
  name: "search_knowledge",
  description: "Searches the graph.",
  type: "knowledge-query",
  group: ["read-only", "knowledge"],
  state: "analysis",
  available_in_states: ["undefined", "research"],
  arguments: [{ name: "query", type: "string", description: "What to look for" }],
};
const rows = [
  row("tool", "search", search),
  row("tool", "weather", {
    name: "get_weather",
    description: "Tells the weather.",
    type: "mcp-tool",
    "mcp-tool": "forecast",
    "applicable-states": ["analysis"],
    arguments: [
      { name: "place", type: "string", description: "Where" },
      { name: "days", type: "number", description: "" },
    ],
  }),
  row("tool", "reset-workflow", { description: "Starts anew.", type: "prompt", group: [], state: "undefined" }),
  row("mcp", "forecast", { "remote-name": "forecast_v2", url: "http://127.0.0.1:3000/mcp" }),
];

function read(value: unknown) {
  const parsed = parseDocument(value);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  return parsed;
}
function errorsOf(value: unknown) {
  const parsed = parseDocument(value);
  return parsed.ok ? [] : parsed.errors;
}
const tools = (value: unknown) => Object.fromEntries((read(value).document.tools ?? []).map((tool) => [tool.id, tool]));

describe("a TrustGraph configuration", () => {
  it("becomes tools with their groups, states in either spelling and arguments as input schema", () => {
    const found = tools(rows);
    expect(found["trustgraph:search"]).toMatchObject({
      name: "search_knowledge",
      description: "Searches the graph.",
      groups: ["read-only", "knowledge"],
      state: "analysis",
      availableInStates: ["undefined", "research"],
      inputSchema: {
        type: "object",
        properties: { query: { type: "string", description: "What to look for" } },
        required: ["query"],
        additionalProperties: false,
      },
    });
    expect(found["forecast:forecast_v2"]).toMatchObject({
      name: "get_weather",
      source: "forecast",
      availableInStates: ["analysis"],
      inputSchema: { required: ["place", "days"] },
    });
  });
  it("keeps not stated, none and all apart", () => {
    const found = tools(rows);
    expect(found["forecast:forecast_v2"]).toMatchObject({ groups: null, state: null });
    expect(found["trustgraph:reset-workflow"]).toMatchObject({ groups: [], availableInStates: null });
    const of = (value: object) =>
      tools([row("tool", "t", { description: "x", ...value })])["trustgraph:t"]?.availableInStates;
    expect([of({}), of({ available_in_states: [] }), of({ "applicable-states": ["*"] })]).toEqual([null, [], ["*"]]);
  });
  it("makes the groups it names, and a source for each MCP server", () => {
    const { document } = read(rows);
    expect(document.groups?.map(({ name }) => name)).toEqual(["read-only", "knowledge"]);
    expect(document.sources).toEqual([
      expect.objectContaining({ name: "trustgraph", kind: "http" }),
      expect.objectContaining({ name: "forecast", kind: "mcp", url: "http://127.0.0.1:3000/mcp" }),
    ]);
  });
  it.each([
    ["bare", rows],
    ["under `config`", { version: 7, config: rows }],
    ["under `values`", { values: rows }],
    [
      "as a map of types",
      {
        tool: Object.fromEntries(rows.slice(0, 3).map(({ key, value }) => [key, value])),
        mcp: { forecast: rows[3]?.value },
      },
    ],
    ["as YAML", stringify(rows)],
    ["as JSON", JSON.stringify({ config: rows })],
    ["with values that are objects", rows.map((one) => ({ ...one, value: JSON.parse(one.value) as unknown }))],
  ])("is understood %s", (_, text) => {
    expect(Object.keys(tools(text))).toEqual(Object.keys(tools(rows)));
  });
  it("keeps a name for people as the display name", () => {
    const found = tools([row("tool", "knowledge-query", { ...search, name: "Knowledge Graph Query" })]);
    expect(found["trustgraph:knowledge-query"]).toMatchObject({
      name: "knowledge-query",
      displayName: "Knowledge Graph Query",
    });
  });
  it("gives queries and completions the argument that TrustGraph fixes", () => {
    const found = tools([row("tool", "ask", { description: "x", type: "text-completion" })]);
    expect(found["trustgraph:ask"]?.inputSchema).toMatchObject({ required: ["question"] });
  });
  it("runs an MCP row's tool by its remote name, as a tool with side effects unless the server denies them", () => {
    expect(tools(rows)["forecast:forecast_v2"]).toMatchObject({
      run: { kind: "mcp", tool: "forecast_v2" },
      enabled: true,
      hasSideEffects: true,
    });
  });
  it("makes one source of the rows of one server, which states its token as a secret that is stored later", () => {
    const server = { url: "http://127.0.0.1:3000/mcp", "auth-token": "s3cr3t", description: "Does it." };
    const other = { ...server, "auth-token": "another" };
    const { document, warnings } = read([
      row("mcp", "add", server),
      row("mcp", "sub", server),
      row("mcp", "own", other),
    ]);
    expect(document.sources).toMatchObject([
      { name: "add", url: server.url, auth: { mode: "bearer", secret: "add-token" } },
      { name: "own", auth: { mode: "bearer", secret: "own-token" } },
    ]);
    expect(document.tools?.map(({ id, run }) => [id, run])).toEqual([
      ["add:add", { kind: "mcp", tool: "add" }],
      ["add:sub", { kind: "mcp", tool: "sub" }],
      ["own:own", { kind: "mcp", tool: "own" }],
    ]);
    expect(warnings[0]).toMatchObject({ path: "mcp[add].auth-token", message: expect.stringContaining("`add-token`") });
    expect(JSON.stringify([document, warnings])).not.toMatch(/s3cr3t|another/);
  });
  it.each(["prompt", "text-completion", "knowledge-query", "structured-query", "agent", "tool-service"])(
    "imports a tool of the type %s disabled, and names what is missing",
    (type) => {
      const { document, warnings } = read([row("tool", "t", { description: "x", type })]);
      expect(document.tools).toMatchObject([{ id: "trustgraph:t", enabled: false, run: null }]);
      expect(warnings).toEqual([
        { path: "tool[t].type", message: expect.stringMatching(new RegExp(`\`${type}\`.*disabled.*url`)) as unknown },
      ]);
    },
  );
  it("sends the call of such a tool to an address that its row states", () => {
    const { document } = read([
      row("tool", "ask", { description: "x", type: "knowledge-query", url: "https://tg.example/api/ask" }),
    ]);
    expect(document.tools).toMatchObject([
      {
        enabled: true,
        hasSideEffects: true,
        run: {
          kind: "http",
          method: "POST",
          url: "https://tg.example/api/ask",
          body: { contentType: "application/json", properties: [{ property: "question", name: "question" }] },
        },
      },
    ]);
  });
  it("imports a tool whose MCP row is not there disabled, under a source without an address", () => {
    const { document, warnings } = read([row("tool", "t", { description: "x", type: "mcp-tool", "mcp-tool": "gone" })]);
    expect(document.sources).toMatchObject([{ name: "gone", kind: "mcp", url: null }]);
    expect(document.tools).toMatchObject([{ id: "gone:gone", enabled: false, run: null }]);
    expect(warnings.map(({ path }) => path)).toEqual(["tool[t].mcp-tool"]);
  });
  it("gives groups names that they can have here, and shows which", () => {
    const { document, warnings } = read([
      row("tool", "a", { description: "x", type: "prompt", group: ["Team A", "team:a", "plain", "Team-A"] }),
    ]);
    const [one, ...others] = document.tools?.[0]?.groups ?? [];
    expect(one).toMatch(/^Team-A-[0-9a-f]{6}$/);
    expect(others).toEqual(["team-a", "plain", "Team-A"]);
    expect(document.groups?.map(({ name }) => name)).toEqual([one, "team-a", "plain", "Team-A"]);
    expect(warnings.filter(({ path }) => path.includes("group"))).toEqual([
      { path: "tool[a].group[0]", message: `\`Team A\` becomes the group \`${one}\`` },
      { path: "tool[a].group[1]", message: "`team:a` becomes the group `team-a`" },
    ]);
  });
  it("keeps the names of states as they are: callers state them", () => {
    const states = { state: "team:a", available_in_states: ["Team A", "team:a"] };
    expect(read([row("tool", "t", { description: "x", ...states })]).document.tools).toMatchObject([
      { state: "team:a", availableInStates: ["Team A", "team:a"] },
    ]);
  });
  it("names every field that is dropped: of arguments, of a tool that runs elsewhere, and of a server's row", () => {
    const { warnings } = read([
      row("tool", "t", {
        description: "x",
        type: "mcp-tool",
        "mcp-tool": "m",
        url: "http://127.0.0.1:2/mcp",
        arguments: [{ name: "a", type: "string", required: false, enum: ["b"] }],
      }),
      row("mcp", "m", { url: "http://127.0.0.1:1/mcp", group: ["g"], description: "other", "mcp-tool": "m" }),
    ]);
    expect(warnings.map(({ path }) => path)).toEqual([
      "tool[t].url",
      "tool[t].arguments[0].required",
      "tool[t].arguments[0].enum",
      "mcp[m].description",
      "mcp[m].group",
      "mcp[m].mcp-tool",
    ]);
  });
  it("imports rows that run the same tool of a server as one tool, and names the omitted rows", () => {
    const named = (group: string[]) => ({ description: "Adds.", type: "mcp-tool", "mcp-tool": "calc", group });
    const twice = [row("tool", "first", named(["a"])), row("tool", "second", named(["b", "c"]))];
    const known = read([...twice, row("mcp", "calc", { url: "http://127.0.0.1:1/mcp" })]);
    expect(known.warnings).toEqual([
      {
        path: "tool[second]",
        message:
          "runs the same tool as `tool[first]`, which becomes `calc:calc`: not imported with its groups `b`, `c`",
      },
    ]);
    expect(Object.keys(tools(twice))).toEqual(["calc:calc"]);
    const server = { url: "http://127.0.0.1:1/mcp", "remote-name": "add", description: "Adds." };
    expect(Object.keys(tools([row("mcp", "one", server), row("mcp", "two", server)]))).toEqual(["one:add"]);
  });
  it("imports an MCP row with a description as a tool", () => {
    const server = {
      url: "http://127.0.0.1:1/mcp",
      description: "Adds.",
      group: ["maths"],
      available_in_states: ["a"],
    };
    expect(tools([row("mcp", "calc", server)])["calc:calc"]).toMatchObject({
      groups: ["maths"],
      availableInStates: ["a"],
      description: "Adds.",
    });
  });
});

describe("a malformed entry", () => {
  it.each<[string, unknown, string]>([
    ["no JSON", { type: "tool", key: "t", value: "{oops" }, "tool[t].value"],
    ["a value that is no object", { type: "tool", key: "t", value: "[1]" }, "tool[t].value"],
    ["no value", { type: "tool", key: "t" }, "tool[t].value"],
    ["no key", { type: "tool", value: "{}" }, "[4].key"],
    ["no type", { key: "t", value: "{}" }, "[4].type"],
    ["no object", "tool", "[4]"],
    ["null", null, "[4]"],
    ["a key that is there twice", row("tool", "search", search), "tool[search]"],
    ["no description", row("tool", "t", { group: ["a"] }), "tool[t].description"],
    ["a group that is no list", row("tool", "t", { description: "x", group: "a" }), "tool[t].group"],
    ["a number among groups", row("tool", "t", { description: "x", group: [1] }), "tool[t].group[0]"],
    ["a state that is no text", row("tool", "t", { description: "x", state: 1 }), "tool[t].state"],
    [
      "states that are no list",
      row("tool", "t", { description: "x", available_in_states: "a" }),
      "tool[t].available_in_states",
    ],
    [
      "states in the other spelling",
      row("tool", "t", { description: "x", "applicable-states": {} }),
      "tool[t].applicable-states",
    ],
    [
      "two spellings that disagree",
      row("tool", "t", { description: "x", "applicable-states": ["a"], available_in_states: ["b"] }),
      "tool[t].applicable-states",
    ],
    ["arguments that are no list", row("tool", "t", { description: "x", arguments: {} }), "tool[t].arguments"],
    [
      "an argument without a name",
      row("tool", "t", { description: "x", arguments: [{ type: "string" }] }),
      "tool[t].arguments[0].name",
    ],
    [
      "an argument of no type",
      row("tool", "t", { description: "x", arguments: [{ name: "a", type: "date" }] }),
      "tool[t].arguments[0].type",
    ],
    ["an MCP tool that names no server", row("tool", "t", { description: "x", type: "mcp-tool" }), "tool[t].mcp-tool"],
    ["an MCP server without an address", row("mcp", "m", { "remote-name": "m" }), "mcp[m].url"],
  ])("is named: %s", (_, entry, path) => {
    expect(errorsOf([...rows, entry]).map((error) => error.path)).toContain(path);
  });
  it("hides no other one: all are named at once, and nothing is read", () => {
    const errors = errorsOf([
      ...rows,
      null,
      row("tool", "a", {}),
      { type: "tool", key: "b", value: "{" },
      row("mcp", "c", {}),
    ]);
    expect(errors.map(({ path }) => path)).toEqual(["[4]", "tool[b].value", "tool[a].description", "mcp[c].url"]);
  });
  it("shows none of its value, which may be a secret", () => {
    const errors = errorsOf([...rows, { type: "mcp", key: "m", value: '{"auth-token": "s3cr3t" oops' }]);
    expect(JSON.stringify(errors)).not.toContain("s3cr3t");
  });
  it("names the rows that it leaves out", () => {
    const { warnings } = read([
      ...rows,
      row("prompt", "template", {}),
      row("tool", "t", { ...search, collection: "main" }),
      row("mcp", "m", { url: "http://127.0.0.1:1/mcp", "auth-token": "s3cr3t" }),
    ]);
    expect(warnings.map(({ path }) => path)).toEqual([
      "prompt[template]",
      "tool[search].type",
      "tool[reset-workflow].type",
      "tool[t].collection",
      "tool[t].type",
      "mcp[m].auth-token",
      "mcp[m]",
    ]);
    expect(JSON.stringify(warnings)).not.toContain("s3cr3t");
  });
});

describe("applied", () => {
  const apply = (body: unknown, query = "") =>
    ask<ConfigPlan>(PUT, "PUT", `/api/admin/config${query}`, {
      text: stringify(body),
      headers: { "content-type": "application/yaml" },
    });

  it("a TrustGraph configuration adds and alters; nothing that is there is deleted or reset", async () => {
    await apply({
      apiVersion: "quartermaster/v1",
      sources: [{ name: "kitchen", kind: "http" }],
      groups: [{ name: "knowledge", guidance: "Ask first." }],
      tools: [{ id: "kitchen:bake", description: "Bakes.", inputSchema: { type: "object" } }],
    });
    const plan = await apply(rows, "?dryRun=true");
    expect(configPlan.parse(plan.json)).toMatchObject({
      created: 6,
      changed: 0,
      deleted: 0,
      errors: [],
      mode: "merge",
    });
    expect(await apply(rows)).toMatchObject({ status: 200 });
    const { document } = await readDocument();
    expect(document.groups).toContainEqual(expect.objectContaining({ name: "knowledge", guidance: "Ask first." }));
    expect(document.tools).toHaveLength(4);
    expect((await apply(rows)).json).toMatchObject({ created: 0, changed: 0, deleted: 0 });
  });
  it("names the texts that hold characters which no reader sees", async () => {
    const hiding = row("tool", "hiding", { description: "Fine.\u{E0049}\u{E0047}", type: "prompt" });
    const { warnings } = (await apply([hiding], "?dryRun=true")).json;
    expect(warnings).toContainEqual({
      path: "tools[trustgraph:hiding].description",
      message: "contains hidden characters: U+E0049, U+E0047",
    });
  });
  it("again after a change alters that only: what an admin added to a tool stays", async () => {
    const before = (await readDocument()).document;
    await apply({
      apiVersion: "quartermaster/v1",
      tools: before.tools?.map((tool) =>
        tool.id === "trustgraph:search" ? { ...tool, guidance: "Sparingly." } : tool,
      ),
    });
    const again = await apply([row("tool", "search", { ...search, description: "Finds." }), ...rows.slice(1)]);
    expect(again.json).toMatchObject({ created: 0, changed: 1, deleted: 0 });
    const after = (await readDocument()).document.tools?.find(({ id }) => id === "trustgraph:search");
    expect(after).toMatchObject({ description: "Finds.", guidance: "Sparingly." });
  });
  it("again keeps an admin's edits of a row that could not run and of a server's authentication", async () => {
    const server = row("mcp", "keyed", { url: "http://127.0.0.1:9/mcp", "auth-token": "s3cr3t", description: "x" });
    const own = row("tool", "later", { description: "x", type: "agent" });
    await apply([server, own]);
    const run = { kind: "http", method: "POST", url: "https://agent.example/" } as const;
    await apply(
      {
        apiVersion: "quartermaster/v1",
        sources: [{ name: "keyed", kind: "mcp", auth: { mode: "none" } }],
        tools: [{ id: "trustgraph:later", description: "x", inputSchema: { type: "object" }, enabled: true, run }],
      },
      "?mode=merge",
    );
    expect((await apply([server, own])).json).toMatchObject({ created: 0, changed: 0, deleted: 0 });
    const { document } = await readDocument();
    expect(document.tools).toContainEqual(expect.objectContaining({ id: "trustgraph:later", enabled: true }));
    expect(document.sources).toContainEqual(expect.objectContaining({ name: "keyed", auth: { mode: "none" } }));
  });
  it("a malformed one is refused whole, naming each entry", async () => {
    const refused = await apply([...rows, row("tool", "bad", { group: 1 })]);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.json.errors.map(({ path }) => path)).toEqual(["tool[bad].description", "tool[bad].group"]);
  });
  it("a document can be merged: it deletes nothing and keeps fields that it does not state", async () => {
    const merged = await apply(
      {
        apiVersion: "quartermaster/v1",
        settings: { routing: { high: 0.95 } },
        groups: [{ name: "knowledge", active: false }],
      },
      "?mode=merge",
    );
    expect(merged.json).toMatchObject({ created: 0, changed: 2, deleted: 0, mode: "merge" });
    const { document } = await readDocument();
    expect(document.groups).toContainEqual(
      expect.objectContaining({ name: "knowledge", active: false, guidance: "Ask first." }),
    );
    expect(document.settings?.routing).toMatchObject({ high: 0.95, medium: 0.6 });
    const wrong = await apply(
      {
        apiVersion: "quartermaster/v1",
        settings: { routing: { medium: 0.96, high: 0.97 } },
        tools: [{ id: "kitchen:bake", source: "oven" }],
      },
      "?mode=merge",
    );
    expect(wrong).toMatchObject({ status: 400 });
  });
  it("a merged document that states a part of the settings' parts resets nothing of the rest", async () => {
    const stated = (settings: object) => ({ apiVersion: "quartermaster/v1", settings });
    await apply(
      stated({
        approvals: { sideEffects: true, minutes: 30 },
        retention: { months: null, bodyDays: 90, archiveBodies: true },
        redact: ["shape:email"],
      }),
      "?mode=merge",
    );
    await apply(stated({ approvals: { minutes: 5 }, retention: { bodyDays: 30 } }), "?mode=merge");
    const { settings } = (await readDocument()).document;
    expect(settings).toMatchObject({
      approvals: { sideEffects: true, minutes: 5 },
      retention: { months: null, bodyDays: 30, archiveBodies: true },
      redact: ["shape:email"],
    });
    const wrong = await apply(stated({ approvals: 5 }), "?mode=merge");
    expect([wrong.status, wrong.json.errors[0]?.path]).toEqual([400, "settings.approvals"]);
  });
});
