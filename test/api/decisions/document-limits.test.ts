import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as config from "@/app/api/admin/config/route";
import * as matches from "@/app/api/admin/groups/matches/route";
import * as impact from "@/app/api/admin/impact/route";
import * as imports from "@/app/api/admin/imports/route";
import * as compare from "@/app/api/admin/preview/compare/route";
import * as preview from "@/app/api/admin/preview/route";
import { setUp } from "@/bin/first-start";
import { parseDocument } from "@/lib/config/document";
import { DOCUMENT_LIMITS } from "@/lib/contracts/changes/document-limits";
import type { Handler } from "@/lib/http/route";
import type { Role } from "@/lib/resources/permissions";
import { closeDatabase } from "@/lib/store/db/database";
import { planDocument } from "@/lib/store/save/config-document";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { ORIGIN, signIn } from "@/test/support/person";

// An auditor's documents have lower size limits than an editor's, because an auditor only reads the configuration.
useDatabase();
beforeAll(async () => void (await setUp({ demo: true })));
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

const JSON_TYPE = "application/json";
const EMPTY = "apiVersion: quartermaster/v1\n";
/** A valid document of so many bytes. */
const documentOf = (bytes: number) => EMPTY + "#".repeat(bytes - EMPTY.length);

const DRAFTS: readonly (readonly [string, Handler, (text: string) => object])[] = [
  ["a preview", preview.POST, (text) => ({ config: text, claims: {} })],
  ["a comparison", compare.POST, (text) => ({ before: { claims: {} }, after: { config: text, claims: {} } })],
  ["an impact", impact.POST, (text) => ({ config: text })],
];

describe.each(DRAFTS)("the draft of %s", (_what, handler, bodyOf) => {
  it("of an auditor is at most 256 KiB", async () => {
    const send = (bytes: number) => ask(handler, "POST", "/x", { role: "auditor", body: bodyOf(documentOf(bytes)) });
    const { draft } = DOCUMENT_LIMITS.auditor;
    expect(draft).toBe(256 * 1024);
    const refused = await send(draft + 1);
    expect([refused.status, refused.json.code]).toEqual([413, "payload_too_large"]);
    expect((await send(draft)).status).toBe(200);
  });

  it.each<Role>(["editor", "admin"])("of an %s may be larger than that, within a body of 1 MiB", async (role) => {
    const large = bodyOf(documentOf(DOCUMENT_LIMITS.auditor.draft + 1));
    expect((await ask(handler, "POST", "/x", { role, body: large })).status).toBe(200);
    const beyond = bodyOf(documentOf(DOCUMENT_LIMITS[role].draft + 1));
    expect((await ask(handler, "POST", "/x", { role, body: beyond })).status).toBe(413);
  });
});

describe("a document that is applied or imported", () => {
  /** States only the length of a document: a larger one is refused before it is read. */
  const stated = async (handler: Handler, role: Role, bytes: number, type: string) => {
    const headers = { ...(await signIn(role)), "content-type": type, "content-length": String(bytes) };
    const request = new Request(`${ORIGIN}/x`, { method: "POST", headers, body: "{}" });
    return (await handler(request)).status;
  };

  it.each<[Role, number]>([
    ["admin", 32],
    ["editor", 16],
  ])("of an %s is at most %i MiB", async (role, mib) => {
    const most = DOCUMENT_LIMITS[role].applied;
    expect(most).toBe(mib * 1024 * 1024);
    expect(await stated(config.PUT, role, most + 1, "application/yaml")).toBe(413);
    expect(await stated(config.PUT, role, most, "application/yaml")).not.toBe(413);
    expect(await stated(imports.POST, role, most + 1, "application/json")).toBe(413);
    expect(await stated(imports.POST, role, most, "application/json")).not.toBe(413);
  });

  it("is forbidden to an auditor", async () => {
    expect(await stated(config.PUT, "auditor", 1, "application/yaml")).toBe(403);
    expect(await stated(imports.POST, "auditor", 1, "application/json")).toBe(403);
  });
});

describe("a document that takes too long to read", () => {
  /** YAML whose aliases the library looks up by walking through the document, again and again. */
  const slow = EMPTY + Array.from({ length: 30_000 }, (_, at) => `k${at}: &a${at} 1\nj${at}: *a${at}`).join("\n");
  const ENDPOINTS: readonly (readonly [string, (headers: Record<string, string>) => Promise<Response>])[] = [
    ...DRAFTS.map(([what, handler, bodyOf]) => {
      const body = JSON.stringify(bodyOf(slow));
      return [
        `the draft of ${what}`,
        (headers: Record<string, string>) =>
          handler(
            new Request(`${ORIGIN}/x`, { method: "POST", headers: { ...headers, "content-type": JSON_TYPE }, body }),
          ),
      ] as const;
    }),
    [
      "a configuration",
      (headers) =>
        config.PUT(
          new Request(`${ORIGIN}/x`, {
            method: "PUT",
            headers: { ...headers, "content-type": "application/yaml" },
            body: slow,
          }),
        ),
    ],
  ];

  // All at once: each takes a thread for the whole time.
  it(`is refused as ${ENDPOINTS.map(([what]) => what).join(", ")}, and is never read on the serving thread`, async () => {
    const headers = await signIn("admin");
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const answers = await Promise.all(ENDPOINTS.map(([, send]) => send(headers)));
    delays.disable();
    const refused = answers.map(async (answer) => [answer.status, await answer.json()]);
    const detail = expect.stringContaining("Reading the document takes too long") as unknown;
    expect(await Promise.all(refused)).toMatchObject(ENDPOINTS.map(() => [408, { code: "request_timeout", detail }]));
    // Reading the document on this thread would hold it for the whole time.
    expect(delays.max / 1e6).toBeLessThan(1_500);
  });
});

describe("the plan of a document", () => {
  it("that takes too long is answered 408", async () => {
    const list = <Row>(count: number, row: (at: number) => Row) => Array.from({ length: count }, (_, at) => row(at));
    const parsed = parseDocument({
      apiVersion: "quartermaster/v1",
      sources: [{ name: "many", kind: "http" }],
      tools: list(500, (at) => ({ id: `many:t${at}`, description: "d", inputSchema: { type: "object" }, groups: [] })),
      // Each assertion compares its selector with every tool.
      assertions: list(500, (at) => ({ name: `a${at}`, given: {}, expect: { hidden: [{ name: "*x*" }] } })),
    });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const actor = { kind: "system", name: "test", role: "admin" } as const;
    const wanted = { merge: parsed.stated, fresh: parsed.fresh };
    await expect(planDocument(actor, wanted, { stageMs: 1 })).rejects.toMatchObject({
      status: 408,
      code: "request_timeout",
      message: expect.stringContaining("Processing the input takes too long") as unknown,
    });
    expect(await planDocument(actor, wanted)).toMatchObject({ errors: [] });
  });
});

describe("work on a draft", () => {
  it.each(DRAFTS)("of %s ends when its caller has left", async (_what, handler, bodyOf) => {
    const headers = { ...(await signIn("editor")), "content-type": "application/json" };
    const left = new AbortController();
    const policies = Array.from({ length: 6_000 }, (_, at) => `- {name: p${at}, everyone: true}`).join("\n");
    const body = JSON.stringify(bodyOf(`${EMPTY}policies:\n${policies}`));
    const request = new Request(`${ORIGIN}/x`, { method: "POST", headers, body, signal: left.signal });
    const answer = handler(request);
    left.abort();
    expect(await (await answer).json()).toMatchObject({ code: "cancelled" });
  });

  it("of a group's members ends when its caller has left", async () => {
    const words = (start: string) => Array.from({ length: 100 }, (_, at) => `${start}${at}`);
    const selector = { name: "*", requiredTags: words("t"), excludedTags: words("e"), requiredLabels: words("l") };
    const body = JSON.stringify({ group: { name: "g", selectors: Array.from({ length: 20 }, () => selector) } });
    const headers = { ...(await signIn("editor")), "content-type": "application/json" };
    const request = new Request(`${ORIGIN}/x`, { method: "POST", headers, body, signal: AbortSignal.abort() });
    expect(await (await matches.POST(request)).json()).toMatchObject({ code: "cancelled" });
  });
});
