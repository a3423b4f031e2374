import { beforeAll, describe, expect, it } from "vitest";
import { POST } from "@/app/api/admin/[resource]/route";
import { parseDocument } from "@/lib/config/document";
import { planDocument } from "@/lib/store/save/config-document";
import { ADMIN, save } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// What labels and flow rules refuse, and what a plan says (docs/reference/decision.md#flow).

useDatabase();

const TOOL = { id: "shop:read", description: "Reads.", inputSchema: { type: "object" } };
const RULE = { name: "guard", when: ["private"], restrict: [{ is: "outward" }] };
const WORLD = {
  apiVersion: "quartermaster/v1",
  sources: [{ name: "shop", kind: "http" }],
  labels: [{ name: "private", scope: "caller" }],
  tools: [TOOL],
  flows: [RULE],
};

beforeAll(() => save(WORLD));

async function problemsOf(resource: "flows" | "labels", body: object): Promise<string[]> {
  const { status, json } = await ask<{ errors?: { path: string; message: string }[] }>(
    POST,
    "POST",
    `/api/admin/${resource}`,
    { params: { resource }, body },
  );
  expect(status).toBe(400);
  return (json.errors ?? []).map(({ path, message }) => `${path}: ${message}`);
}

describe("a flow rule is refused", () => {
  it.each([
    ["an unknown label", { when: ["nowhere"] }, /^when\[0\]: .*`nowhere`/],
    ["no label", { when: [] }, /^when: /],
    ["21 labels", { when: Array.from({ length: 21 }, (_, n) => `label-${n}`) }, /^when: /],
    ["no restriction", { restrict: [] }, /^restrict: /],
    ["an empty restriction", { restrict: [{}] }, /^restrict\[0\]/],
    ["a restriction of two kinds", { restrict: [{ is: "outward", tool: "shop:read" }] }, /^restrict\[0\]/],
    ["an unknown effect", { effect: "block" }, /^effect: /],
  ])("with %s", async (_what, change, expected) => {
    const problems = await problemsOf("flows", { ...RULE, name: "other", ...change });
    expect(problems).toContainEqual(expect.stringMatching(expected));
  });
});

describe("a label is refused", () => {
  it("that is held by a run and has minutes", async () => {
    const problems = await problemsOf("labels", { name: "draft", scope: "run", holdMinutes: 5 });
    expect(problems).toContainEqual(expect.stringMatching(/^holdMinutes: /));
  });
  it.each([0, -1, 1.5, 1e12])("with %d minutes", async (holdMinutes) => {
    const problems = await problemsOf("labels", { name: "draft", scope: "caller", holdMinutes });
    expect(problems).toContainEqual(expect.stringMatching(/^holdMinutes: /));
  });
});

describe("the plan of a document", () => {
  it.each([
    [
      "a tool that raises an unknown label",
      { tools: [{ ...TOOL, flow: { raises: ["nowhere"] } }] },
      "tools[shop:read]",
    ],
    ["a rule of an unknown label", { flows: [{ ...RULE, when: ["nowhere"] }] }, "flows[guard]"],
    ["a deleted label that a rule names", { labels: [] }, "flows[guard]"],
    [
      "an assertion under an unknown label",
      { assertions: [{ name: "held", given: { labels: ["nowhere"] }, expect: { hidden: ["shop:read"] } }] },
      "assertions[held]",
    ],
  ])("refuses %s", async (_what, change, path) => {
    const parsed = parseDocument({ apiVersion: WORLD.apiVersion, ...change });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const { errors } = await planDocument(ADMIN, parsed.document);
    expect(errors.map((error) => error.path)).toContainEqual(expect.stringContaining(path));
  });
});
