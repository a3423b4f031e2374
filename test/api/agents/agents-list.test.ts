import { beforeAll, describe, expect, it } from "vitest";
import { toolEntry, toolsOutput } from "@/lib/contracts/agents/agent-api";
import { apiKeys } from "@/lib/store/config/api-keys";
import { builtinTools } from "@/lib/calls/builtin/index";
import { ADMIN, Client, idsOf, keyOf, save, supportDocument, type Problem } from "@/test/api/agents-world";
import type { VendorFormat } from "@/test/manifest/lint";
import { useDatabase } from "@/test/support/database";
import { startIssuer } from "@/test/support/servers/issuer";

useDatabase();
const agents = ["reader", "refunder", "worker", "suspended", "stranger"] as const;
const clients = new Map<string, Client>();

function client(name: (typeof agents)[number]): Client {
  return clients.get(name)!;
}

beforeAll(async () => {
  const issuer = await startIssuer();
  await issuer.close();
  await save(
    supportDocument({
      issuers: [
        {
          name: "corp",
          issuer: issuer.issuer,
          audience: "quartermaster",
          jwks: { keys: issuer.keys.map((key) => key.publicJwk) },
          algorithms: ["ES256"],
        },
      ],
    }),
  );
  for (const name of agents) clients.set(name, new Client(await keyOf(name)));
  clients.set("by-token", new Client(await issuer.token({ sub: "somebody", team: "support" })));
  clients.set("by-token-refund", new Client(await issuer.token({ sub: "other", can_refund: true })));
});

/** The worker's state is held by the server: it lists and calls in a session. */
async function sessionQuery(name: string): Promise<{ query: string; body: Record<string, unknown> }> {
  if (name !== "worker") return { query: "", body: {} };
  const session = await client("worker").open({ group: ["*"] });
  return { query: `?session_id=${session.json.session_id}`, body: { session_id: session.json.session_id } };
}

describe("what is listed", () => {
  it("holds exactly the callable tools, for every identity", async () => {
    let visible = 0;
    for (const [name, one] of clients) {
      const { query, body } = await sessionQuery(name);
      const listed = new Set(idsOf((await one.list(query)).json));
      for (const { id } of builtinTools()) {
        // Arguments that no tool accepts: a visible tool refuses them, a hidden one says it is not there.
        const answer = await one.call({ tool_id: id, arguments: { not_an_argument: true }, ...body });
        const expected = listed.has(id) ? "invalid_arguments" : "tool_not_available";
        expect([name, id, answer.json.error?.code]).toEqual([name, id, expected]);
      }
      visible += listed.size;
    }
    expect(visible).toBeGreaterThan(20);
  });

  it("is nothing, with status 200, for a caller that no policy matches", async () => {
    const answer = await client("stranger").list();
    expect([answer.status, answer.json.data, answer.json.count]).toEqual([200, [], 0]);
  });

  it("is nothing for a caller that a deny of everything matches", async () => {
    expect((await client("suspended").list()).json.data).toEqual([]);
  });

  it("has the shape of the contract, conditions in words, guidance appended and only granted groups", async () => {
    const { json } = await client("refunder").list();
    toolsOutput.parse(json);
    for (const entry of json.data) toolEntry.strict().parse(entry);
    const refund = json.data.find((entry) => entry.tool_id === "support:refund_order");
    expect(refund).toMatchObject({ groups: ["refunds"], conditions: ["Refunds above 100 euro need a supervisor."] });
    expect(refund?.description).toContain("Refund with care.");
    expect(json.data.find((entry) => entry.tool_id === "builtin:calculate")).not.toHaveProperty("conditions");
  });

  it("comes in the order of names", async () => {
    const names = (await client("refunder").list()).json.data.map((entry) => entry.name);
    expect(names).toEqual(names.toSorted());
  });
});

describe("narrowing", () => {
  it("by group keeps absent, none, some and all apart", async () => {
    const count = async (query: string) => (await client("reader").list(query)).json.count;
    const all = await count("");
    expect(all).toBeGreaterThan(4);
    expect(await count("?group=*")).toBe(all);
    expect(await count("?group=")).toBe(0);
    const helpers = builtinTools().filter(({ id }) => id.startsWith("builtin:"));
    expect(await count("?group=helpers")).toBe(helpers.length);
    expect(await count("?group=helpers&group=support-read")).toBe(all);
    expect(await count("?group=refunds")).toBe(0);
    expect(await count("?group=Helpers")).toBe(0);
  });

  it("by intent narrows to its groups when the agent is confident", async () => {
    const { json } = await client("reader").list("?intent=KNOWLEDGE&confidence=0.9");
    expect([idsOf(json), json.mode]).toEqual([["support:search_knowledge"], "restricted"]);
    expect((await client("reader").list("?intent=KNOWLEDGE")).json.mode).toBe("full");
  });

  it("searches, and pages in the list's order", async () => {
    expect(idsOf((await client("reader").list("?search=order")).json)).toEqual([
      "support:get_order",
      "support:list_orders",
    ]);
    const whole = idsOf((await client("reader").list()).json);
    const paged: string[] = [];
    let cursor: string | null | undefined;
    do {
      const query: string = cursor ? `?limit=3&cursor=${cursor}` : "?limit=3";
      const { json } = await client("reader").list(query);
      paged.push(...idsOf(json));
      cursor = json.next_cursor;
    } while (cursor);
    expect(paged).toEqual(whole);
  });

  it.each<[string, string]>([
    ["?confidence=", "confidence"],
    ["?min_revision=0x1", "min_revision"],
    ["?colour=red", "colour"],
    ["?profile=nobody", "profile"],
    ["?machine=nothing", "machine"],
    ["?confidence=2", "confidence"],
    ["?format=cobol", "format"],
    ["?limit=0", "limit"],
    ["?cursor=xyz", "cursor"],
    ["?session_id=s&group=a", "group"],
    ["?session_id=s&state=a&profile=main", "state"],
  ])("refuses %s and names %s", async (query, path) => {
    const answer = await client("reader").list<Problem>(query);
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe("invalid_request");
    expect(answer.json.errors.map((error) => error.path)).toContain(path);
  });
});

describe("the etag", () => {
  it("answers 304 without a body while the caller's list is the same, and changes when it changes", async () => {
    const first = await client("reader").list();
    const etag = first.headers.get("etag")!;
    const again = await client("reader").list("", { "if-none-match": etag });
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await client("refunder").list("", { "if-none-match": etag })).status).toBe(200);
    await save({ apiVersion: "quartermaster/v1", personas: [{ name: "p", capabilities: ["x"] }] });
    expect((await client("reader").list("", { "if-none-match": etag })).status).toBe(304);
  });
});

/** What the vendors' formats have in common. */
interface Rendered {
  readonly name?: string;
  readonly function?: { readonly name: string };
}

const NAME_OF: Readonly<Record<VendorFormat, (tool: Rendered) => unknown>> = {
  openai: (tool) => tool.name,
  "openai-chat": (tool) => tool.function?.name,
  anthropic: (tool) => tool.name,
  gemini: (tool) => tool.name,
  mcp: (tool) => tool.name,
};

describe("formats", () => {
  it.each(Object.entries(NAME_OF))("%s holds the same tools under the same names", async (format, nameOf) => {
    const native = (await client("refunder").list()).json.data.map((entry) => entry.name);
    const { json } = await client("refunder").list<{ data: Rendered[] }>(`?format=${format}`);
    expect(json.data.map(nameOf)).toEqual(native);
  });
});

describe("a credential", () => {
  it("that is missing, broken or revoked opens nothing", async () => {
    const revoked = await keyOf("reader", "revoked");
    const one = new Client(revoked);
    expect((await one.list()).status).toBe(200);
    await apiKeys.replace(ADMIN, "revoked", { name: "revoked", agent: "reader", expiresAt: null, enabled: false }, "*");
    for (const bad of [one, new Client("qm_x_y_z"), new Client("nonsense")]) {
      const answer = await bad.list<Problem>();
      expect([answer.status, answer.json.code]).toEqual([401, "unauthenticated"]);
      expect((await bad.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } })).status).toBe(401);
    }
  });
});
