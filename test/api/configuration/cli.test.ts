import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { GET as readMe } from "@/app/api/admin/me/route";
import { runCommand } from "@/bin/quartermaster.ts";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { useDatabase } from "@/test/support/database";

useDatabase();

const DEMO = "prisma/seed/demo.yaml";
const folder = mkdtempSync(join(tmpdir(), "quartermaster-cli-"));

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  closeSnapshot();
  await closeDatabase();
});

async function run(...args: string[]) {
  const out: string[] = [];
  const errors: string[] = [];
  const code = await runCommand(args, { out: (text) => out.push(text), error: (text) => errors.push(text) });
  return { code, out: out.join("\n"), error: errors.join("\n") };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** A document in which the rule *trifecta* is active. */
function guarded(more: string): string {
  return file(
    "guarded.yaml",
    `apiVersion: quartermaster/v1
sources: [{ name: x, kind: http }]
tools:
  - { id: "x:read", description: Reads, inputSchema: { type: object }, flow: { raises: [private, untrusted] } }
  - { id: "x:send", description: Sends, inputSchema: { type: object }, flow: { is: [outward] } }
policies: [{ name: all, everyone: true, groups: [default] }]
labels: [{ name: private, scope: caller }, { name: untrusted, scope: run }]
flows: [{ name: trifecta, when: [private, untrusted], restrict: [{ is: outward }] }]
${more}
`,
  );
}

async function resolved(...args: string[]) {
  const { code, out } = await run("resolve", DEMO, "--json", ...args);
  expect(code).toBe(0);
  return previewOutput.parse(JSON.parse(out));
}
const visible = async (...args: string[]) => (await resolved(...args)).tools.map(({ toolId }) => toolId);

describe("resolve", () => {
  test("answers what the preview answers, for claims in a file or in the option", async () => {
    const claims = { team: "support", roles: ["refunds"] };
    const inFile = await visible("--claims", file("claims.json", JSON.stringify(claims)));
    expect(inFile).toContain("support:refund_order");
    expect(await visible("--claims", JSON.stringify(claims))).toEqual(inFile);
  });
  test("tries a persona with its sample claims and capabilities", async () => {
    const answer = await resolved("--persona", "contractor");
    expect(answer.claims).toMatchObject({ sub: "cory" });
    expect(answer.hidden).toContainEqual(
      expect.objectContaining({ toolId: "support:close_ticket", reason: "capability_missing" }),
    );
  });
  test("keeps the three values of a group apart: not stated, none, these", async () => {
    expect((await visible("--persona", "first-line")).length).toBeGreaterThan(8);
    expect(await visible("--persona", "first-line", "--group=")).toEqual([]);
    expect(await visible("--persona", "first-line", "--group", "refunds")).toEqual(["support:refund_order"]);
    expect(await visible("--persona", "first-line", "--group", "refunds", "--group", "tickets")).toHaveLength(4);
  });
  test("narrows by state, profile, intent and capability like a request", async () => {
    const triage = await visible("--persona", "first-line", "--machine", "ticket-desk", "--state", "triage");
    expect(triage).not.toContain("support:refund_order");
    const answer = await resolved("--persona", "first-line", "--intent", "KNOWLEDGE", "--confidence", "0.9");
    expect([answer.mode, answer.profile]).toEqual(["restricted", ["main"]]);
    expect(await visible("--persona", "first-line", "--capability", "none")).not.toContain("support:close_ticket");
  });
  test("decides under the labels that the caller holds", async () => {
    const held = async (...labels: string[]) => {
      const answer = await run("resolve", guarded(""), "--json", ...labels.flatMap((label) => ["--label", label]));
      return previewOutput.parse(JSON.parse(answer.out)).hidden.map(({ toolId, reason }) => [toolId, reason]);
    };
    expect(await held("untrusted")).toEqual([]);
    expect(await held("untrusted", "private")).toEqual([["x:send", "flow_restricted"]]);
    expect((await run("resolve", guarded(""), "--label", "No label")).error).toContain("--label[0]: ");
  });
  test("prints text for people, with the reason of each hidden tool and the requested explanation", async () => {
    const { code, out } = await run("resolve", DEMO, "--persona", "contractor", "--explain", "support:refund_order");
    expect(code).toBe(0);
    expect(out.split("\n")[0]).toContain(" · before the first transition · ");
    expect(out).toContain("- support:refund_order");
    expect(out).toContain("denied_by_policy");
    expect(out).toContain("contractors-move-no-money");
  });
  test.each([
    [["resolve"], "Name the configuration file"],
    [["resolve", "nowhere.yaml"], "the file does not exist"],
    [["resolve", DEMO, "--claims", "{oops"], "--claims: not valid JSON"],
    [["resolve", DEMO, "--claims", "[1]"], "Cannot read [1]"],
    [["resolve", DEMO, "--confidence", "much"], "--confidence"],
    [["resolve", DEMO, "--persona", "nobody"], "--persona: there is no persona"],
    [["resolve", DEMO, "--machine", "nowhere"], "--machine: there is no machine"],
    [["resolve", DEMO, "--profile", "none"], "--profile: there is no profile"],
    [["resolve", DEMO, "--explain", "a:b"], "--explain: there is no tool"],
    [["resolve", DEMO, "--colour", "red"], "--colour"],
    [["resolve", DEMO, "other.yaml"], "Name one configuration file only"],
    [["dance"], "There is no command `dance`"],
    [["constructor"], "There is no command `constructor`"],
  ])("reports %j in a sentence and exits with 2", async (args, text) => {
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(text);
    expect(error).not.toMatch(/\n\s+at /);
  });
});

describe("test", () => {
  const document = (assertion: string) =>
    file(
      "config.yaml",
      `apiVersion: quartermaster/v1
sources: [{ name: x, kind: http }]
tools: [{ id: "x:read", description: Reads, inputSchema: { type: object } }]
policies: [{ name: all, everyone: true, groups: [default] }]
assertions:
  - ${assertion}
`,
    );

  test("exits with 0 when every assertion holds", async () => {
    expect(await run("test", DEMO)).toMatchObject({ code: 0, out: expect.stringContaining("8 passed, 0 failed") });
    const path = document(`{ name: reads, given: {}, expect: { visible: ["x:read"] } }`);
    expect((await run("test", path)).code).toBe(0);
  });
  test("holds an assertion about labels to the flow rules", async () => {
    const about = (labels: string, expected: string) =>
      guarded(`assertions: [{ name: leak, given: { labels: ${labels} }, expect: ${expected} }]`);
    const hidden = `{ visible: ["x:read"], hidden: ["x:send"] }`;
    expect((await run("test", about("[private, untrusted]", hidden))).code).toBe(0);
    const failed = await run("test", about("[private]", hidden));
    expect([failed.code, failed.out]).toEqual([1, expect.stringContaining("`x:send` should be hidden")]);
    const unknown = await run("test", about("[nowhere]", hidden));
    expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining("there is no label `nowhere`")]);
    const seen = await run("test", about("[private, untrusted]", `{ visible: ["x:send"] }`));
    expect([seen.code, seen.out]).toEqual([1, expect.stringContaining("flow_restricted")]);
  });
  test("exits with 1 when one does not, naming the tool and the reason", async () => {
    const path = document(`{ name: narrow, given: { group: [] }, expect: { visible: ["x:read"] } }`);
    const { code, out } = await run("test", path);
    expect(code).toBe(1);
    expect(out).toContain("FAIL narrow");
    expect(out).toContain("group_not_requested");
    const { out: json } = await run("test", path, "--json");
    expect(JSON.parse(json)).toMatchObject({ passed: 0, failed: 1, results: [{ name: "narrow", passed: false }] });
  });
  test("takes the time of the decisions in ISO 8601 only", async () => {
    expect((await run("test", DEMO, "--now", "2026-01-31T00:00:00+01:00")).code).toBe(0);
    for (const now of ["1", "Jan 5", "2026-01-31", ""])
      expect(await run("test", DEMO, "--now", now)).toMatchObject({
        code: 2,
        error: "--now: use an ISO 8601 time, such as 2026-01-31T00:00:00Z.",
      });
  });
  test("exits with 2 when the document is not valid, naming every field, or tests nothing", async () => {
    const broken = await run(
      "test",
      file("broken.yaml", "apiVersion: quartermaster/v1\ngroups: [{ name: a b, colour: red }]\n"),
    );
    expect(broken.code).toBe(2);
    expect(broken.error).toContain("groups[a b].name");
    expect(broken.error).toContain("groups[a b].colour");
    const empty = await run("test", file("empty.yaml", "apiVersion: quartermaster/v1\n"));
    expect([empty.code, empty.error]).toEqual([2, expect.stringContaining("has no assertions")]);
  });
});

describe("token create", () => {
  test("prints a token that opens the admin API with its role", async () => {
    const { code, out, error } = await run("token", "create", "--role", "editor", "--name", "ci");
    expect(code).toBe(0);
    expect(out).toMatch(/^qmp_\S+$/);
    expect(error).toContain("not shown again");
    const response = await readMe(
      new Request("http://127.0.0.1:3000/api/admin/me", { headers: { authorization: `Bearer ${out}` } }),
    );
    expect(await response.json()).toMatchObject({ kind: "token", name: "ci", role: "editor" });
  });
  test.each([
    [["token"], "token create"],
    [["token", "create", "--name", "a"], "Set --role"],
    [["token", "create", "--role", "admin"], "Set --name"],
    [["token", "create", "--role", "king", "--name", "a"], "--role"],
    [["token", "create", "--role", "admin", "--name", "a b"], "--name"],
    [["token", "create", "--role", "admin", "--name", "a", "--expires", "soon"], "--expires"],
    [["token", "create", "--role", "admin", "--name", "ci"], "already a `ci`"],
  ])("reports %j in a sentence and exits with 2", async (args, text) => {
    const { code, out, error } = await run(...args);
    expect([code, out]).toEqual([2, ""]);
    expect(error).toContain(text);
  });
});

test("the program runs as a program, from any folder, with its exit code", async () => {
  const program = join(process.cwd(), "bin/quartermaster.mjs");
  const demo = join(process.cwd(), DEMO);
  const started = (args: string[]) =>
    new Promise<{ code: unknown; out: string; error: string }>((done) =>
      execFile(process.execPath, [program, ...args], { cwd: folder }, (error, out, stderr) =>
        done({ code: error?.code ?? 0, out, error: stderr }),
      ),
    );
  expect(await started(["test", demo])).toMatchObject({ code: 0, out: expect.stringContaining("8 passed") });
  expect(await started(["resolve", "nowhere.yaml"])).toMatchObject({ code: 2, out: "" });
  const token = await started(["token", "create", "--role", "auditor", "--name", "program", "--json"]);
  expect([token.code, token.error]).toEqual([0, ""]);
  expect(JSON.parse(token.out)).toMatchObject({
    name: "program",
    role: "auditor",
    token: expect.stringMatching(/^qmp_/),
  });
}, 60_000);
