import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET } from "@/app/api/admin/exports/[resource]/route";
import { EXPORT_TYPES } from "@/lib/contracts/changes/export";
import type { Role } from "@/lib/resources/permissions";
import { toolInput } from "@/lib/resources/tool";
import { closeDatabase } from "@/lib/store/db/database";
import { stores } from "@/lib/store/config/index";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { save, supportDocument, supportTool } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// A list as a file (docs/reference/interface.md#export).

useDatabase();
const MANY = 1_203;
const HOSTILE = '=HYPERLINK("https://evil.test";"click")';

beforeAll(async () => {
  const blank = supportTool("support:get_order", { tags: [], labels: [], flow: {} });
  const tools = Array.from({ length: MANY }, (_, index) => {
    const operation = `op_${String(index).padStart(4, "0")}`;
    const description = index === 0 ? HOSTILE : `Says "${index}",\nand more`;
    return {
      ...blank,
      id: `many:${operation}`,
      source: "many",
      operation,
      name: operation,
      description,
      tags: ["x", "y"],
    };
  });
  await save(
    supportDocument({
      sources: [...(supportDocument() as { sources: object[] }).sources, { name: "many", kind: "script" }],
      tools: [...(supportDocument() as { tools: object[] }).tools, ...tools],
    }),
  );
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

function get(resource: string, query: string, role: Role = "auditor") {
  return ask(GET, "GET", `/api/admin/exports/${resource}${query}`, { params: { resource }, role });
}

/** RFC 4180, read back without our own writer. */
function parseCsv(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\r\n]*)(,|\r\n|$)/g)];
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\r\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

describe("an exported list", () => {
  test("has every matching row of all pages, in the list's order, with the requested columns", async () => {
    const got = await get("tools", "?source=many&sort=-id&columns=id,enabled,tags,description");
    expect(got.status).toBe(200);
    expect(got.headers.get("content-type")).toBe(`${EXPORT_TYPES.csv}; charset=utf-8`);
    expect(got.headers.get("content-disposition")).toMatch(/^attachment; filename="tools-\d{4}-\d\d-\d\d\.csv"$/);
    const [head, ...rows] = parseCsv(got.text);
    expect(head).toEqual(["id", "enabled", "tags", "description"]);
    expect(rows).toHaveLength(MANY);
    const ids = rows.map(([id]) => id);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(rows[0]).toEqual(["many:op_1202", "true", "x, y", 'Says "1202",\nand more']);
  });

  test("runs no formula in a spreadsheet", async () => {
    const [, row] = parseCsv((await get("tools", "?q=op_0000&columns=id,description")).text);
    expect(row).toEqual(["many:op_0000", `'${HOSTILE}`]);
  });

  test("neither commands a terminal nor changes the direction of text", async () => {
    const description = "a\u001B[2Jb\u202Ec\u{E0041}d\te👩‍🚀";
    await stores.tools.create(
      { kind: "system", name: "test", role: "admin" },
      toolInput.parse({ id: "many:terminal", description, inputSchema: { type: "object" } }),
    );
    const [, row] = parseCsv((await get("tools", "?q=many:terminal&columns=id,description")).text);
    expect(row).toEqual(["many:terminal", "a\\u{1b}[2Jb\\u{202e}c\\u{e0041}d\te👩‍🚀"]);
  });

  test("as JSONL has one object a line, unchanged", async () => {
    const got = await get("tools", "?q=op_0000&format=jsonl&columns=id,tags,description");
    expect(got.headers.get("content-type")).toBe(`${EXPORT_TYPES.jsonl}; charset=utf-8`);
    expect(got.text).toBe(`${JSON.stringify({ id: "many:op_0000", tags: ["x", "y"], description: HOSTILE })}\n`);
  });

  test("has every field where no columns are named, and no secret", async () => {
    const [head] = parseCsv((await get("users", "")).text);
    expect(head).toContain("email");
    expect(head).not.toContain("passwordHash");
    const [empty, ...none] = (await get("policies", "?q=nobody")).text.split("\r\n");
    expect([empty?.startsWith("name,description"), none]).toEqual([true, [""]]);
  });

  test.each([
    ["?columns=id,passwordHash", "columns"],
    ["?columns=id;drop", "columns"],
    ["?colour=red", "colour"],
    ["?sort=colour", "sort"],
    ["?format=xlsx", "format"],
  ])("refuses %s before anything is sent", async (query, path) => {
    expect(await get("tools", query)).toMatchObject({ status: 400, json: { errors: [{ path }] } });
  });

  test("needs the permission to read the list", async () => {
    expect(await get("users", "", "editor")).toMatchObject({ status: 403, json: { permission: "people:read" } });
    expect(await get("nothing", "")).toMatchObject({ status: 404 });
  });
});
