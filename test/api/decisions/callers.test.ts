import { beforeAll, describe, expect, test, vi } from "vitest";
import { POST as bulkRoute } from "@/app/api/admin/bulk/[section]/route";
import { POST as callersRoute } from "@/app/api/admin/preview/callers/route";
import { POST as previewRoute } from "@/app/api/admin/preview/route";
import { callersOutput, type CallersInput } from "@/lib/contracts/decisions/callers";
import { previewOutput } from "@/lib/contracts/decisions/preview";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const personas = [
  { name: "staff", sampleClaims: { team: "support" } },
  { name: "nobody", sampleClaims: {} },
];

beforeAll(async () => {
  await save(supportDocument({ personas }));
  const refunder = new Client(await keyOf("refunder"));
  await refunder.call({ tool_id: "support:get_order", arguments: { order_id: "O-5001" } });
});

async function callers(about: CallersInput) {
  const got = await ask(callersRoute, "POST", "/api/admin/preview/callers", { body: about, role: "editor" });
  expect([got.status, got.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return callersOutput.parse(got.json);
}

async function previewOf(body: object) {
  return previewOutput.parse((await ask(previewRoute, "POST", "/api/admin/preview", { body })).json);
}

describe("who can see", () => {
  test("a tool equals, for every persona and agent, their previews", async () => {
    const { index } = await currentSnapshot();
    const previews = new Map<string, ReturnType<typeof previewOutput.parse>>();
    for (const { id } of index.config.tools) {
      const answer = await callers({ kind: "tool", name: id });
      for (const { kind, name, standing } of answer.callers) {
        const preview = previews.get(name) ?? (await previewOf({ [kind]: name }));
        previews.set(name, preview);
        const seen = preview.tools.find(({ toolId }) => toolId === id);
        const hidden = name === "worker" && id === "support:close_ticket" ? "other_state" : "no";
        const expected = seen === undefined ? hidden : seen.conditional ? "partly" : "yes";
        expect([id, kind, name, standing]).toEqual([id, kind, name, expected]);
      }
    }
    expect(previews.size).toBe(personas.length + index.config.agents.length);
  });

  test("a tool that is hidden comes with the reason and the smallest change", async () => {
    const { callers: all } = await callers({ kind: "tool", name: "support:get_order" });
    expect(all.find(({ name }) => name === "suspended")).toMatchObject({
      standing: "no",
      reason: "denied_by_policy",
      fix: { size: 1 },
    });
    expect(all.find(({ name }) => name === "staff")).toMatchObject({
      standing: "yes",
      why: "Granted through `support-staff` → `support-read`.",
    });
  });

  test("a group lists the callers that have it granted, and how many of its tools they see", async () => {
    const { tools, callers: all } = await callers({ kind: "group", name: "support-read" });
    expect(all.find(({ name }) => name === "reader")).toMatchObject({
      standing: "yes",
      visible: tools,
      why: "Granted by `support-staff`.",
    });
    expect(all.find(({ name }) => name === "suspended")).toMatchObject({
      standing: "no",
      why: "Denied by `suspended`.",
    });
    expect(all.find(({ name }) => name === "stranger")).toMatchObject({
      standing: "no",
      why: "No matching policy grants it.",
    });
  });

  test("a policy lists the callers that it matches, and for the others the first matcher that fails", async () => {
    const { callers: all } = await callers({ kind: "policy", name: "support-staff" });
    expect(all.find(({ name }) => name === "reader")).toMatchObject({
      standing: "yes",
      why: "All matchers match.",
    });
    expect(all.find(({ name }) => name === "stranger")).toMatchObject({
      standing: "no",
      visible: 0,
      why: '`team` equals `"support"` does not hold: no match.',
    });
  });

  test("a deny that holds in doubt names the condition in doubt", async () => {
    await save(supportDocument({ personas: [...personas, { name: "odd", sampleClaims: { suspended: {} } }] }));
    const { callers: all } = await callers({ kind: "policy", name: "suspended" });
    expect(all.find(({ name }) => name === "odd")).toMatchObject({
      standing: "yes",
      why: "`suspended` equals `true` is uncomparable, which counts as a match in a deny.",
    });
    await save(supportDocument({ personas }));
  });

  test("counts callers of the log once: a registered agent's caller is that agent", async () => {
    const { callers: all, more } = await callers({ kind: "tool", name: "support:get_order" });
    expect(all.filter(({ name }) => name === "refunder").map(({ kind }) => kind)).toEqual(["agent"]);
    expect(more).toBe(false);
  });

  test("a tool refuses a disabled agent, and an agent whose issuer is disabled", async () => {
    const issuer = {
      name: "corp",
      issuer: "https://corp.example",
      audience: "qm",
      jwksUri: "https://corp.example/keys",
      algorithms: ["ES256"],
      enabled: false,
    };
    const agents = [
      { name: "off", enabled: false, attributes: { team: "support" } },
      { name: "bound", issuer: "corp", subject: "s-1", attributes: { team: "support" } },
    ];
    const document = supportDocument({ personas });
    await save({ ...document, issuers: [issuer], agents: [...(document["agents"] as object[]), ...agents] });
    const { callers: all } = await callers({ kind: "tool", name: "support:get_order" });
    await save({ ...document, issuers: [] });
    expect(all.filter(({ name }) => ["off", "bound"].includes(name))).toMatchObject([
      { name: "bound", standing: "refused", why: "Not served: the issuer `corp` is disabled." },
      { name: "off", standing: "refused", why: "Not served: the agent `off` is disabled." },
    ]);
  });

  test("an unknown thing is a 404", async () => {
    for (const kind of ["tool", "group", "policy"] as const) {
      const got = await ask(callersRoute, "POST", "/api/admin/preview/callers", { body: { kind, name: "nothing" } });
      expect([kind, got.status]).toEqual([kind, 404]);
    }
  });
});

test("a person who may not read bodies asks for named callers at most thirty times a minute", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
  try {
    const tool: CallersInput = { kind: "tool", name: "support:get_order" };
    for (let time = 0; time < 30; time += 1) await callers(tool);
    const asked = (role: "editor" | "auditor") =>
      ask(callersRoute, "POST", "/api/admin/preview/callers", { body: tool, role });
    expect(await asked("editor")).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    const dryRun = { rows: { ids: ["support:get_order"] }, change: { kind: "delete" } };
    const planned = await ask(bulkRoute, "POST", "/api/admin/bulk/tools?dryRun=true", {
      body: dryRun,
      params: { section: "tools" },
      role: "editor",
    });
    expect(planned).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect((await asked("auditor")).status).toBe(200);
  } finally {
    vi.useRealTimers();
  }
});
