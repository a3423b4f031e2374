import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { GET as getConfig, PUT as putConfig } from "@/app/api/admin/config/route";
import { GET as getRevisions } from "@/app/api/admin/revisions/route";
import { GET as getDiff } from "@/app/api/admin/revisions/[number]/diff/[to]/route";
import { runCommand } from "@/bin/quartermaster.ts";
import { parseDocument, toConfiguration } from "@/lib/config/document";
import { runAssertions } from "@/lib/config/assertions";
import type { Handler } from "@/lib/http/route";
import { closeDatabase } from "@/lib/store/db/database";
import { applyDocument, readDocument } from "@/lib/store/save/config-document";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { tokens } from "@/lib/store/people/tokens";
import type { Actor } from "@/lib/store/save/write";
import { useDatabase } from "@/test/support/database";

useDatabase();

const ADMIN: Actor = { kind: "system", name: "test", role: "admin" };
const TAXONOMY = "prisma/seed/taxonomy.yaml";
const folder = mkdtempSync(join(tmpdir(), "quartermaster-cli-"));
const env: Record<string, string> = {};
let server: Server;

/** The routes that the commands ask, behind a real port. */
const ROUTES: readonly [RegExp, Partial<Record<string, Handler>>][] = [
  [/^\/api\/admin\/config$/, { GET: getConfig, PUT: putConfig }],
  [/^\/api\/admin\/revisions$/, { GET: getRevisions }],
  [/^\/api\/admin\/revisions\/(?<number>[^/]+)\/diff\/(?<to>[^/]+)$/, { GET: getDiff }],
];

beforeAll(async () => {
  server = createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? "/", "http://127.0.0.1:3000");
    const [pattern, handlers] = ROUTES.find(([path]) => path.test(url.pathname)) ?? [];
    const handler = handlers?.[incoming.method ?? ""];
    if (pattern === undefined || handler === undefined) return void outgoing.writeHead(404).end("nothing");
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const request = new Request(url, {
      method: incoming.method ?? "GET",
      headers: incoming.headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const params = Promise.resolve({ ...pattern.exec(url.pathname)?.groups });
    const response = await handler(request, { params });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  env["QUARTERMASTER_URL"] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  env["QUARTERMASTER_TOKEN"] = await token("admin");
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
  closeSnapshot();
  await closeDatabase();
});

async function token(role: "admin" | "editor" | "auditor"): Promise<string> {
  return (await tokens.create(ADMIN, { name: role, role, expiresAt: null, enabled: true })).token;
}
async function run(...args: string[]) {
  const [out, errors]: [string[], string[]] = [[], []];
  const code = await runCommand(args, { out: (text) => out.push(text), error: (text) => errors.push(text) }, env);
  return { code, out: out.join("\n"), error: errors.join("\n") };
}
function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
const document = (body: string) => file("document.yaml", `apiVersion: quartermaster/v1\n${body}\n`);

describe("plan and apply", () => {
  test("print each change as a sentence, and save all as one revision", async () => {
    const path = document("groups: [{ name: menu }, { name: drinks }]");
    const planned = await run("plan", path);
    expect(planned).toMatchObject({ code: 0, error: "" });
    expect(planned.out).toBe(
      "+ creates 2 tool groups: `menu`, `drinks`\n2 to create, 0 to change, 0 to delete, 0 unchanged.",
    );
    expect((await readDocument()).document.groups).toEqual([]);
    const applied = await run("apply", path);
    const { revision, document: now } = await readDocument();
    expect([applied.code, now.groups?.length]).toEqual([0, 2]);
    expect(applied.out).toContain(`The configuration is at revision ${revision}.`);
    expect((await run("plan", path)).out).toBe("Nothing to change: all 2 rows already match the document.");
  });
  test("replace each stated section; with --merge, keep rows that the document does not name", async () => {
    const path = document("groups: [{ name: menu, guidance: Hot. }]");
    expect((await run("plan", path)).out).toContain("− deletes the tool group `drinks`");
    const merged = await run("apply", path, "--merge");
    expect([merged.code, merged.out]).toEqual([0, expect.not.stringContaining("deletes")]);
    expect((await readDocument()).document.groups?.map(({ name }) => name)).toEqual(["drinks", "menu"]);
  });
  test("exit with 1 and save nothing when the configuration would refuse it, naming the place", async () => {
    const path = document("policies: [{ name: staff, everyone: true, groups: [gold] }]");
    for (const command of ["plan", "apply"]) {
      const { code, error } = await run(command, path);
      expect(code).toBe(1);
      expect(error).toContain("error policies[staff].groups[0]: unknown tool group `gold`");
    }
    expect((await readDocument()).document.policies).toEqual([]);
  });
  test("warn of assertions that would fail", async () => {
    const { code, error } = await run(
      "plan",
      document(`assertions: [{ name: all bake, given: {}, expect: { visible: ["k:bake"] } }]`),
    );
    expect(code).toBe(0);
    expect(error).toContain("warning assertions[all bake]: would fail");
  });
  test("take a TrustGraph configuration, and name each bad entry", async () => {
    const value = JSON.stringify({ description: "Searches.", group: ["knowledge"] });
    const path = file("trustgraph.json", JSON.stringify([{ type: "tool", key: "search", value }]));
    const planned = await run("plan", path);
    expect(planned.out).toContain("+ creates the tool `trustgraph:search`");
    expect(planned.out).not.toContain("deletes");
    const bad = file(
      "bad.json",
      JSON.stringify([
        { type: "tool", key: "a", value: "{" },
        { type: "tool", key: "b", value: "{}" },
      ]),
    );
    const refused = await run("apply", bad);
    expect(refused.code).toBe(2);
    expect(refused.error).toMatch(/tool\[a\]\.value:.*\n.*tool\[b\]\.description:/);
  });
  test("print JSON on request", async () => {
    const { out } = await run("plan", document("groups: []"), "--json");
    expect(JSON.parse(out)).toMatchObject({ deleted: 2, errors: [] });
  });
});

describe("export", () => {
  test("prints the configuration as YAML that applies without a change, or writes it to a file", async () => {
    const { code, out } = await run("export");
    expect([code, (parse(out) as { apiVersion: string }).apiVersion]).toEqual([0, "quartermaster/v1"]);
    const path = join(folder, "export.yaml");
    expect(await run("export", "--output", path)).toEqual({ code: 0, out: "", error: "" });
    expect(readFileSync(path, "utf8").trimEnd()).toBe(out);
    expect((await run("plan", path)).out).toContain("Nothing to change");
    expect(JSON.parse((await run("export", "--json")).out)).toMatchObject({ apiVersion: "quartermaster/v1" });
  });
});

describe("diff", () => {
  test("says show what changed between two revisions, and exits with 1 when something did", async () => {
    const { revision } = await readDocument();
    await run("apply", document("groups: [{ name: menu, guidance: Cold. }]"));
    const { code, out } = await run("diff", String(revision));
    expect(code).toBe(1);
    expect(out).toContain("− tool group `drinks`");
    expect(out).toContain('~ tool group `menu`\n    guidance: "Hot." → "Cold."');
    expect(out).toContain(`From revision ${revision} to ${revision + 1}: 0 created, 1 changed, 1 deleted.`);
    expect(await run("diff", String(revision), String(revision))).toMatchObject({ code: 0 });
    expect((await run("diff", "1", "999999")).error).toContain("There is no revision 999999");
  });
});

describe("reports an error in a sentence, with exit code 2", () => {
  test.each([
    [["plan"], "Name the document file"],
    [["plan", "nowhere.yaml"], "the file does not exist"],
    [["plan", TAXONOMY, "other.yaml"], "Name one document only"],
    [["plan", TAXONOMY, "--url", "ftp://x"], "--url: `ftp://x` is not an http(s) address"],
    [["plan", TAXONOMY, "--url", "http://127.0.0.1:1"], "Cannot reach http://127.0.0.1:1"],
    [["plan", TAXONOMY, "--token", ""], "QUARTERMASTER_TOKEN"],
    [["plan", TAXONOMY, "--token", "qmp_wrong"], "refused the token"],
    [["export", "--token", "日"], "--token"],
    [["export", "--colour"], "--colour"],
    [["export", "--output", "/nowhere/at/all"], "Cannot write /nowhere/at/all"],
    [["diff"], "Name two revisions"],
    [["diff", "one"], "is not a revision number"],
    [["diff", "1", "2", "3"], "Name at most two revisions"],
  ])("%j", async (args, text) => {
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(text);
    expect(error).not.toMatch(/\n\s+at /);
  });
  test("names every unreadable field of a document, and refuses a role that may not apply it", async () => {
    const broken = await run("plan", document("groups: [{ name: a b, colour: red }]"));
    expect([broken.code, broken.error]).toEqual([2, expect.stringContaining("groups[a b].colour: unknown field")]);
    const refused = await run("apply", TAXONOMY, "--token", await token("auditor"));
    expect([refused.code, refused.error]).toEqual([2, expect.stringContaining("configuration:write")]);
  });
});

describe("the shipped taxonomy", () => {
  const parsed = parseDocument(readFileSync(TAXONOMY, "utf8"));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
  const { document: taxonomy } = parsed;

  test("holds: every assertion of it is green", () => {
    const results = runAssertions(toConfiguration(taxonomy), taxonomy.assertions ?? [], 0);
    expect(results.length).toBeGreaterThan(10);
    expect(results.filter(({ passed }) => !passed)).toEqual([]);
  });
  test("has the intents and groups of the specification, each group with guidance for and against its use", () => {
    const map = Object.fromEntries((taxonomy.intents ?? []).map(({ name, groups }) => [name, groups.join(" ")]));
    expect(map).toEqual({
      MEMORY_SEARCH: "memory resolution",
      DATA_QUERY: "graph memory resolution",
      CONTACT_LOOKUP: "resolution memory",
      WEB_SEARCH: "web",
      HOME_CONTROL: "home",
      SKILL_EXECUTION: "skills memory",
      SYSTEM_COMMAND: "system",
      CONVERSATIONAL: "memory resolution web pdf ui",
      UNKNOWN: "*",
    });
    for (const { guidance } of taxonomy.groups ?? []) expect(guidance).toMatch(/^Use it .*Do not use it /s);
  });
  test("with medium confidence adds the resolution tools", () => {
    const given = { ...taxonomy.assertions![0]!.given, intent: "WEB_SEARCH", confidence: 0.6 };
    const visible = ["web_search", "resolve_contacts", "lookup_place_contacts"].map((name) => `assistant:${name}`);
    const expected = { visible, hidden: ["assistant:search_memories"], exactly: false };
    const [result] = runAssertions(
      toConfiguration(taxonomy),
      [{ name: "x", description: "", given, expect: expected }],
      0,
    );
    expect(result?.problems).toEqual([]);
  });
  test("is merged into the demo on request: it deletes nothing, and all assertions of both stay green", async () => {
    const demo = parseDocument(readFileSync("prisma/seed/demo.yaml", "utf8"));
    if (!demo.ok) throw new Error(JSON.stringify(demo.errors));
    await applyDocument(ADMIN, demo.document);
    const { code, out, error } = await run("apply", TAXONOMY, "--merge", "--token", await token("editor"));
    expect({ code, error }).toEqual({ code: 0, error: "" });
    expect(out).not.toContain("deletes");
    const { document: both } = await readDocument();
    expect(both.assertions?.length).toBe((taxonomy.assertions?.length ?? 0) + (demo.document.assertions?.length ?? 0));
    expect(runAssertions(toConfiguration(both), both.assertions ?? [], 0).filter(({ passed }) => !passed)).toEqual([]);
  });
});
