import { beforeAll, expect, it } from "vitest";
import { POST as countMatchers } from "@/app/api/admin/impact/matchers/route";
import { POST } from "@/app/api/admin/impact/route";
import { POST as whoSees } from "@/app/api/admin/preview/callers/route";
import { toLoggedClaims } from "@/lib/audit/record/claims";
import { REDACTED } from "@/lib/audit/record/redact";
import { callersOutput, MAX_EVALUATED_CALLERS } from "@/lib/contracts/decisions/callers";
import {
  impactOutput,
  matcherCountsOutput,
  MAX_AGENTS,
  MAX_CALLERS,
  MAX_REPLAYED,
} from "@/lib/contracts/decisions/impact";
import { db } from "@/lib/store/db/database";
import { save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

useDatabase();

const ISSUER = "https://corp.example";
const TOOL = "support:lookup_customer";
const BEGAN = Date.parse("2026-01-01T00:00:00Z");
/** More callers than an impact compares, each with two calls; the answer lists the latest first. */
const CALLERS = MAX_CALLERS + 5;

/** A row of the log as the pipeline writes it, without going through it hundreds of times. */
function row(n: number, door: string, claims: Record<string, string>) {
  const at = new Date(BEGAN + n * 1000);
  const { digest, ciphertext } = toLoggedClaims(claims, []);
  return {
    claims: { digest, ciphertext, at },
    execution: {
      callId: `call_${n}`,
      instance: "test",
      requestId: `request_${n}`,
      at,
      door,
      issuer: ISSUER,
      subject: claims["sub"]!,
      agent: null,
      claimsDigest: digest,
      toolId: TOOL,
      asked: TOOL,
      policies: [],
      groups: [],
      revision: 1,
      mode: "full",
      request: {
        agent: null,
        group: null,
        state: null,
        machine: null,
        profiles: ["main"],
        capabilities: [],
        intent: null,
        confidence: null,
        escalated: false,
        includeDisabled: false,
      },
    },
  };
}

beforeAll(async () => {
  const issuer = { name: "corp", issuer: ISSUER, audience: "qm", jwksUri: `${ISSUER}/keys`, algorithms: ["ES256"] };
  await save(supportDocument({ issuers: [issuer] }));
  const callers = Array.from({ length: CALLERS }, (_, n) => ({ iss: ISSUER, sub: `user-${n}`, team: "support" }));
  const rows = [
    ...callers.map((claims, n) => row(n, "rest", claims)),
    ...callers.map((claims, n) => row(CALLERS + n, "rest", { ...claims, exp: String(n) })),
    row(2 * CALLERS, "rest", { iss: ISSUER, sub: "masked", team: "support", api_token: "s3cr3t" }),
    row(2 * CALLERS + 1, "try", { iss: ISSUER, sub: "a person", team: "support" }),
  ];
  await db().executionClaims.createMany({ data: rows.map(({ claims }) => claims), skipDuplicates: true });
  await db().execution.createMany({ data: rows.map(({ execution }) => execution) });
});

async function impactOf(body: object) {
  const answer = await ask(POST, "POST", "/api/admin/impact", { body });
  expect(answer.status).toBe(200);
  return impactOutput.parse(answer.json);
}

it("compares the latest callers and calls, each caller once, and says when there are more", async () => {
  const { callers, moreCallers, calls } = await impactOf({ resource: "policies", id: "support-staff" });
  expect(moreCallers).toBe(true);
  const recent = callers.filter(({ callId }) => callId !== null);
  expect(recent).toHaveLength(MAX_CALLERS);
  expect(new Set(recent.map(({ name }) => name)).size).toBe(MAX_CALLERS);
  expect(callers.map(({ name }) => name)).not.toContain("user-0");
  expect(callers[0]).toMatchObject({ kind: "caller", issuer: ISSUER, after: 0 });
  expect(callers.find(({ name }) => name === "user-204")).toMatchObject({ callId: `call_${2 * CALLERS - 1}` });
  expect(calls).toMatchObject({ replayed: MAX_REPLAYED, since: new Date(BEGAN + 211_000).toISOString() });
  expect(calls.refused).toHaveLength(MAX_REPLAYED);
});

it("compares the agents that the change edits first, and says when there are more", async () => {
  const agents = Array.from({ length: MAX_AGENTS + 1 }, (_, n) => ({
    name: `agent-${String(n).padStart(3, "0")}`,
    attributes: { team: "support" },
  }));
  await save(supportDocument({ agents }));
  const input = { ...agents.at(-1), attributes: { team: "sales" } };
  const { callers, moreAgents } = await impactOf({ resource: "agents", id: agents.at(-1)!.name, input });
  expect(moreAgents).toBe(true);
  expect(callers.filter(({ kind }) => kind === "agent")).toHaveLength(MAX_AGENTS);
  expect(callers[0]).toMatchObject({ name: agents.at(-1)!.name, after: 0 });
  await save(supportDocument());
});

it("leaves out trials by people, and names masked claims", async () => {
  const matchers = [{ claim: "api_token", operator: "exists" }];
  const { callers, notKept } = await impactOf({ resource: "policies", input: { name: "m", matchers, groups: ["*"] } });
  expect(callers.map(({ name }) => name)).toContain("masked");
  expect(callers.map(({ name }) => name)).not.toContain("a person");
  expect(notKept).toEqual(["api_token"]);
  const answer = await ask(countMatchers, "POST", "/api/admin/impact/matchers", {
    body: { matchers: [...matchers, { claim: "sub", operator: "equals", value: REDACTED }] },
  });
  expect(matcherCountsOutput.parse(answer.json)).toEqual({
    callers: MAX_CALLERS,
    coarse: false,
    matching: [1, 0],
    all: 0,
    notKept: ["api_token"],
  });
});

it("counts callers in the steps 0, 1 to 4, and 5 or more for persons who may not read bodies", async () => {
  const named = (...subjects: string[]) => ({ claim: "sub", operator: "in", value: subjects });
  const latest = Array.from({ length: 6 }, (_, n) => `user-${CALLERS - 1 - n}`);
  const matchers = [0, 1, 4, 5, 6].map((count) => named("nobody", ...latest.slice(0, count)));
  const countedBy = async (role: "editor" | "auditor") => {
    const answer = await ask(countMatchers, "POST", "/api/admin/impact/matchers", { role, body: { matchers } });
    return matcherCountsOutput.parse(answer.json);
  };
  expect(await countedBy("auditor")).toMatchObject({ coarse: false, matching: [0, 1, 4, 5, 6] });
  expect(await countedBy("editor")).toMatchObject({ coarse: true, matching: [0, 1, 1, 5, 5] });
});

it("the question who sees a tool leaves no caller out unsaid, when a registered agent is among the latest", async () => {
  const { claims, execution } = row(2 * CALLERS + 2, "rest", { iss: ISSUER, sub: "reader" });
  await db().executionClaims.createMany({ data: [claims] });
  await db().execution.createMany({ data: [{ ...execution, agent: "reader" }] });
  const asked = await ask(whoSees, "POST", "/api/admin/preview/callers", { body: { kind: "tool", name: TOOL } });
  const { callers, more } = callersOutput.parse(asked.json);
  expect(callers.filter(({ kind }) => kind === "caller")).toHaveLength(MAX_EVALUATED_CALLERS);
  expect(more).toBe(true);
});
