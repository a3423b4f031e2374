import { beforeEach, describe, expect, it } from "vitest";
import { POST as create } from "@/app/api/admin/[resource]/route";
import { PUT as putConfig } from "@/app/api/admin/config/route";
import type { SourceKind } from "@/lib/resources/source-kinds";
import { ask, type Answer } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";

const database = useDatabase();

const RUNS = {
  http: { kind: "http", method: "GET", url: "https://api.example/orders" },
  mcp: { kind: "mcp", tool: "order" },
  script: { kind: "script", code: "export default () => 1;" },
} as const;
/** Kinds of source, and what runs the tools of each; `null`: code of ours. */
const KINDS = {
  builtin: null,
  openapi: "http",
  http: "http",
  mcp: "mcp",
  script: "script",
} as const satisfies Record<SourceKind, keyof typeof RUNS | null>;

const tool = (run: keyof typeof RUNS | null) => ({
  id: "shop:order",
  description: "Looks up an order.",
  inputSchema: { type: "object" },
  run: run === null ? null : RUNS[run],
});
const paths = ({ errors = [] }: Partial<Answer>) => errors.map(({ path }) => path);
const add = (resource: "sources" | "tools", body: object) =>
  ask(create, "POST", `/api/admin/${resource}`, { body, params: { resource } });
const put = (document: object, dryRun = false) =>
  ask(putConfig, "PUT", `/api/admin/config${dryRun ? "?dryRun=true" : ""}`, {
    body: { apiVersion: "quartermaster/v1", ...document },
  });

beforeEach(async () => {
  await database.query("delete from tool; delete from source");
  await signIn("admin");
});

const pairs = Object.entries(KINDS).flatMap(([kind, fits]) =>
  (Object.keys(RUNS) as (keyof typeof RUNS)[]).map((run) => ({ kind, run, fits: fits === run })),
);

describe("each kind of tool belongs to the kind of source that runs it", () => {
  it.each(pairs)("under $kind, `run` of the kind $run: $fits", async ({ kind, run, fits }) => {
    const sources = [{ name: "shop", kind }];
    const path = kind === "builtin" ? "run" : "run.kind";
    const document = { sources, tools: [tool(run)] };
    expect(paths((await put(document, true)).json)).toEqual(fits ? [] : [`tools[shop:order].${path}`]);
    const { status, json } = await put(document);
    expect(status).toBe(fits ? 200 : 400);
    expect(paths(json)).toEqual(fits ? [] : [`tools[shop:order].${path}`]);
    await database.query("delete from tool; delete from source");
    await add("sources", { name: "shop", kind });
    const made = await add("tools", tool(run));
    expect(made.status).toBe(fits ? 201 : 400);
    expect(paths(made.json)).toEqual(fits ? [] : [path]);
  });

  it.each(Object.keys(KINDS))("under %s a tool without `run` may be", async (kind) => {
    await add("sources", { name: "shop", kind });
    expect((await add("tools", tool(null))).status).toBe(201);
  });

  it("stays so when the source becomes another kind: its tools go first", async () => {
    await add("sources", { name: "shop", kind: "http" });
    await add("tools", tool("http"));
    const become = (kind: string) => put({ sources: [{ name: "shop", kind }] });
    const refused = await become("mcp");
    expect(refused.status).toBe(400);
    expect(paths(refused.json)).toEqual(["sources[shop].kind"]);
    expect((await become("openapi")).status).toBe(200);
    await database.query("delete from tool");
    expect((await become("mcp")).status).toBe(200);
  });
});
