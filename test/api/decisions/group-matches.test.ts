import { beforeAll, describe, expect, it } from "vitest";
import { DELETE, GET, POST, PUT } from "@/app/api/admin/groups/matches/route";
import { GET as getBuiltIn } from "@/app/api/admin/built-in-groups/route";
import { GET as getSizes } from "@/app/api/admin/group-sizes/route";
import { POST as createRow } from "@/app/api/admin/[resource]/route";
import { parseDocument } from "@/lib/config/document";
import { GET as getToolGroups } from "@/app/api/admin/tools/[id]/groups/route";
import { builtInGroups } from "@/lib/contracts/decisions/built-in-groups";
import { groupSizes } from "@/lib/contracts/decisions/group-sizes";
import { toolGroups } from "@/lib/contracts/decisions/tool-groups";
import { groupMatchesOutput, type GroupMatchesOutput } from "@/lib/contracts/decisions/group-matches";
import { applyDocument } from "@/lib/store/save/config-document";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const tool = { description: "Does it.", inputSchema: { type: "object" } };

beforeAll(async () => {
  const parsed = parseDocument({
    apiVersion: "quartermaster/v1",
    sources: [
      { name: "pizza", kind: "http" },
      { name: "bank", kind: "http" },
    ],
    groups: [{ name: "menu" }],
    tools: [
      { id: "pizza:list", ...tool, path: "/menu", method: "GET", tags: ["menu"] },
      { id: "pizza:order", ...tool, path: "/orders", method: "POST", tags: ["menu", "write"] },
      { id: "pizza:drop", ...tool, path: "/menu", method: "DELETE", tags: ["menu"] },
      { id: "bank:pay", ...tool, path: "/pay", method: "POST", tags: ["money"] },
      { id: "bank:look", ...tool, path: "/look", method: "GET", groups: ["menu"], displayName: "Look around" },
    ],
    policies: [{ name: "everything", matchers: [{ claim: "sub", operator: "exists" }], groups: ["*"] }],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  await applyDocument({ kind: "system", name: "test", role: "admin" }, parsed.document);
});

async function matches(group: object, rest: object = {}): Promise<GroupMatchesOutput> {
  const answer = await ask(POST, "POST", "/api/admin/groups/matches", { body: { group, ...rest }, role: "auditor" });
  expect(answer).toMatchObject({ status: 200 });
  return groupMatchesOutput.parse(answer.json);
}

describe("the built-in groups", () => {
  it("are listed with their members and the policies that name them", async () => {
    const { json } = await ask(getBuiltIn, "GET", "/api/admin/built-in-groups", { role: "auditor" });
    const [byDefault, ungrouped] = builtInGroups.parse(json).items;
    const built = ["bank:pay", "pizza:drop", "pizza:list", "pizza:order"];
    expect(byDefault).toMatchObject({ name: "default", policies: [{ name: "everything", effect: "allow" }] });
    expect(byDefault?.members).toEqual(expect.arrayContaining(built));
    expect(byDefault?.count).toBe(byDefault?.members.length);
    expect(ungrouped).toMatchObject({ name: "(ungrouped)", count: 0, members: [] });
  });
});

it("counts the tools of each stored group, and those that are assigned to it", async () => {
  const { json } = await ask(getSizes, "GET", "/api/admin/group-sizes", { role: "auditor" });
  expect(groupSizes.parse(json).items).toEqual([{ name: "menu", tools: 1, assigned: 1 }]);
});

describe("the groups of a tool", () => {
  const groupsOf = (id: string) => ask(getToolGroups, "GET", `/api/admin/tools/${id}/groups`, { params: { id } });

  it("are all groups that contain it, each with the reason", async () => {
    for (const body of [
      { name: "ordering", selectors: [{ source: "pizza" }], exclude: [{ tool: "pizza:drop" }] },
      { name: "picked", active: false, include: [{ tool: "pizza:order" }] },
    ])
      await ask(createRow, "POST", "/api/admin/groups", { params: { resource: "groups" }, body });
    expect(toolGroups.parse((await groupsOf("pizza:order")).json).items).toEqual([
      { name: "default", active: true, how: ["default"] },
      { name: "ordering", active: true, how: ["selectors"] },
      { name: "picked", active: false, how: ["included"] },
    ]);
    expect(toolGroups.parse((await groupsOf("pizza:drop")).json).items.map(({ name }) => name)).toEqual(["default"]);
  });

  it("are not found for an unknown tool", async () => {
    expect(await groupsOf("pizza:nothing")).toMatchObject({ status: 404 });
  });
});

it("refuses an empty selector when a group is saved, and names it", async () => {
  const group = { name: "all", selectors: [{ readOnly: true }, { source: "" }] };
  const refused = await ask(createRow, "POST", "/api/admin/groups", { params: { resource: "groups" }, body: group });
  expect(refused).toMatchObject({ status: 400, json: { errors: [{ path: "selectors[1]" }] } });
});

const ids = (tools: readonly { toolId: string }[]) => tools.map(({ toolId }) => toolId);

describe("the members of a draft group", () => {
  it("are those that all selectors match, each with the clauses that caught it", async () => {
    const found = await matches({ selectors: [{ source: "piz*", requiredTags: ["menu"] }, { method: "GET" }] });
    expect(ids(found.items)).toEqual(["pizza:list"]);
    expect(found.items[0]).toMatchObject({
      how: ["selectors"],
      clauses: [
        { selector: 0, clause: "source", pattern: "piz*", actual: "pizza", held: true },
        { selector: 0, clause: "requiredTags", pattern: "menu", actual: "menu", held: true },
        { selector: 1, clause: "method", pattern: "GET", actual: "GET", held: true },
      ],
    });
    expect(found.counts).toEqual({ members: 1, selectors: 1, included: 0, declared: 0, excluded: 0, tools: 5 });
  });

  it("are none without selectors, but for those that are included or declare its name", async () => {
    expect((await matches({})).total).toBe(0);
    const found = await matches({ name: "menu", include: [{ tool: "bank:pay" }] });
    expect(found.items.map(({ toolId, how }) => [toolId, how])).toEqual([
      ["bank:look", ["declared"]],
      ["bank:pay", ["included"]],
    ]);
  });

  it("lose excluded tools, whether a selector or an inclusion added them", async () => {
    const found = await matches({
      name: "menu",
      selectors: [{ source: "pizza" }],
      exclude: [{ tool: "pizza:drop", reason: "destroys" }, { tool: "bank:look" }],
    });
    expect(ids(found.items)).toEqual(["pizza:list", "pizza:order"]);
    expect(found.counts.excluded).toBe(2);
    expect(ids(found.nearMisses)).not.toContain("pizza:drop");
  });

  it("come with the tools that one clause keeps out, and that clause", async () => {
    const found = await matches({ selectors: [{ source: "pizza", method: "GET", path: "/menu" }] });
    expect(found.nearMisses).toEqual([
      expect.objectContaining({
        toolId: "pizza:drop",
        missing: { selector: 0, clause: "method", pattern: "GET", actual: "DELETE", held: false },
      }),
    ]);
  });

  it("are searched and paged to the end", async () => {
    const draft = { selectors: [{ name: "*" }] };
    const walked: string[] = [];
    let cursor: string | null = null;
    do {
      const page: GroupMatchesOutput = await matches(draft, { limit: 2, ...(cursor !== null && { cursor }) });
      expect(page.total).toBe(5);
      walked.push(...ids(page.items));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(walked).toEqual(
      ["pizza:drop", "pizza:list", "bank:look", "pizza:order", "bank:pay"].toSorted((a, b) =>
        a.slice(a.indexOf(":")) < b.slice(b.indexOf(":")) ? -1 : 1,
      ),
    );
    expect(ids((await matches(draft, { q: "AROUND" })).items)).toEqual(["bank:look"]);
  });

  it("are shown while the name is none that could be saved", async () => {
    const found = await matches({ name: "Refund tools", include: [{ tool: "bank:pay" }] });
    expect(ids(found.items)).toEqual(["bank:pay"]);
  });

  it("of a pattern that does not compile are refused by its path", async () => {
    const body = { group: { selectors: [{ name: "ok" }, { path: "regex:[" }] } };
    const refused = await ask(POST, "POST", "/api/admin/groups/matches", { body });
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.json.errors.map(({ path }) => path)).toEqual(["group.selectors[1].path"]);
  });
});

describe("a group called `matches`", () => {
  it("is read, replaced and deleted at the address that drafts are sent to", async () => {
    const made = await ask(createRow, "POST", "/api/admin/groups", {
      body: { name: "matches" },
      params: { resource: "groups" },
    });
    const etag = made.headers.get("etag") ?? "";
    const address = "/api/admin/groups/matches";
    expect((await ask(GET, "GET", address)).json).toEqual(made.json);
    const body = { name: "matches", active: false };
    const replaced = await ask(PUT, "PUT", address, { body, headers: { "if-match": etag } });
    expect(replaced.json).toMatchObject({ active: false });
    expect(await ask(DELETE, "DELETE", address)).toMatchObject({ status: 204 });
  });
});
