import type { FlowImpactInput } from "@/lib/contracts/decisions/flow-impact";
import { seeded } from "@/test/support/seeded";
import type { TestDatabase } from "@/test/support/database";

// A log with made-up calls and clears, and the rows and answers that can be drafted over its configuration.

export interface WorldLabel {
  readonly name: string;
  readonly scope: "run" | "caller";
  readonly holdMinutes: number | null;
}
export interface WorldTool {
  readonly id: string;
  readonly raises: readonly string[];
  readonly is: readonly string[];
}
export interface WorldRule {
  readonly name: string;
  readonly when: readonly string[];
  /** Classes, and ids of tools. */
  readonly restrict: readonly string[];
  readonly effect: "hide" | "approve";
  readonly active: boolean;
}
export interface FlowWorld {
  readonly labels: readonly WorldLabel[];
  readonly tools: readonly WorldTool[];
  readonly rules: readonly WorldRule[];
}

interface WorldCall {
  readonly callId: string;
  readonly at: number;
  readonly toolId: string;
  readonly subject: string;
  readonly session: string | null;
  readonly parent: string | null;
  readonly outcome: "succeeded" | "failed" | "open" | "denied" | "restricted";
}
interface WorldClear {
  readonly label: string;
  readonly subject: string;
  readonly session: string | null;
  readonly at: number;
}

const MINUTE = 60_000;
const CLASSES = ["outward", "money"];
const RUN_LABEL = "draft";
const LABELS = ["private", "untrusted", RUN_LABEL];
const TOOLS = Array.from({ length: 6 }, (_, n) => `shop:tool_${n}`);
export const ISSUER = "https://issuer.example/a";

/** Draws from lists. */
export interface Draw {
  readonly number: (below: number) => number;
  readonly one: <T>(items: readonly T[]) => T;
  readonly some: <T>(items: readonly T[]) => T[];
}

export function drawing(seed: number): Draw {
  const next = seeded(seed);
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    one: (items) => items[number(items.length)] as (typeof items)[number],
    some: (items) => items.filter(() => next() < 0.4),
  };
}

const drawLabel = (draw: Draw, name: string): WorldLabel =>
  name === RUN_LABEL
    ? { name, scope: "run", holdMinutes: null }
    : { name, scope: "caller", holdMinutes: draw.one([5, 40, null]) };
const drawTool = (draw: Draw, id: string): WorldTool => ({ id, raises: draw.some(LABELS), is: draw.some(CLASSES) });
const drawRule = (draw: Draw, name: string): WorldRule => ({
  name,
  when: [draw.one(LABELS), ...draw.some(LABELS)].filter((one, at, all) => all.indexOf(one) === at),
  restrict: [draw.one([...CLASSES, ...TOOLS]), ...draw.some(CLASSES)].filter((one, at, all) => all.indexOf(one) === at),
  effect: draw.one(["hide", "hide", "approve"]),
  active: draw.number(4) > 0,
});

export function worldOf(draw: Draw): FlowWorld {
  return {
    labels: LABELS.map((name) => drawLabel(draw, name)),
    tools: TOOLS.map((id) => drawTool(draw, id)),
    rules: ["one", "two", "three"].map((name) => drawRule(draw, name)),
  };
}

const toolRow = ({ id, raises, is }: WorldTool) => ({
  id,
  description: "Does it.",
  inputSchema: { type: "object" },
  groups: [],
  flow: { raises, is },
  run: { kind: "http", method: "GET", url: "https://shop.example/things" },
});
const guessedRow = ({ raises, is, ...tool }: WorldTool) => ({
  ...toolRow({ ...tool, raises: [], is: [] }),
  flowGuess: [
    ...raises.map((word) => ({ kind: "raises", word, from: "method GET" })),
    ...is.map((word) => ({ kind: "is", word, from: "method GET" })),
  ],
});
/** The tools whose flow is a guess: every other one. */
export const guessedIn = ({ tools }: FlowWorld): readonly WorldTool[] => tools.filter((_tool, n) => n % 2 === 1);
const ruleRow = ({ restrict, ...row }: WorldRule) => ({
  ...row,
  restrict: restrict.map((name) => (CLASSES.includes(name) ? { is: name } : { tool: name })),
});

export function documentOf(world: FlowWorld): Record<string, unknown> {
  const { labels, tools, rules } = world;
  const guessed = guessedIn(world);
  return {
    apiVersion: "quartermaster/v1",
    sources: [{ name: "shop", kind: "http", url: "https://shop.example" }],
    labels,
    tools: tools.map((tool) => (guessed.includes(tool) ? guessedRow(tool) : toolRow(tool))),
    flows: rules.map(ruleRow),
  };
}

/** An unsaved row, and the two worlds that its impact compares. */
export function draftOver(
  world: FlowWorld,
  draw: Draw,
): { readonly input: Omit<FlowImpactInput, "days">; readonly before: FlowWorld; readonly after: FlowWorld } {
  const kind = draw.number(5);
  if (kind === 0) {
    const next = drawLabel(draw, draw.one(LABELS));
    const labels = world.labels.map((one) => (one.name === next.name ? next : one));
    return {
      input: { resource: "labels", id: next.name, input: { ...next } },
      before: world,
      after: { ...world, labels },
    };
  }
  if (kind === 1) {
    const next = drawTool(draw, draw.one(TOOLS));
    const tools = world.tools.map((one) => (one.id === next.id ? next : one));
    return {
      input: { resource: "tools", id: next.id, input: toolRow(next) },
      before: world,
      after: { ...world, tools },
    };
  }
  const of = draw.one(world.rules);
  const others = { ...world, rules: world.rules.filter((one) => one !== of) };
  if (kind === 2) return { input: { resource: "flows", id: of.name }, before: world, after: others };
  const next = drawRule(draw, kind === 3 ? "another" : of.name);
  const before = kind === 3 ? world : others;
  const after = { ...before, rules: [...before.rules, { ...next, active: true }] };
  const row = { ...ruleRow(next), mode: draw.one(["enforce", "observe"]) };
  return { input: { resource: "flows", ...(kind === 4 && { id: of.name }), input: row }, before, after };
}

/** An unsaved answer to guesses, and the world after it. The tools of the answer that state their flow stay. */
export function answerOver(
  world: FlowWorld,
  draw: Draw,
): { readonly answer: NonNullable<FlowImpactInput["answer"]>; readonly after: FlowWorld } {
  const { raises, is } = drawTool(draw, "");
  const ids = [draw.one(guessedIn(world)), ...draw.some(world.tools)].map(({ id }) => id);
  const answered = new Set(guessedIn(world).filter(({ id }) => ids.includes(id)));
  const tools = world.tools.map((tool) => (answered.has(tool) ? { ...tool, raises, is } : tool));
  return { answer: { ids, flow: { raises: [...raises], is: [...is] } }, after: { ...world, tools } };
}

export interface FlowLog {
  /** Oldest first. */
  readonly calls: readonly WorldCall[];
  readonly clears: readonly WorldClear[];
}

/** Calls in the `minutes` before `now`, several in the same minute. */
export function logOf(
  draw: Draw,
  { now, calls: count, minutes }: { now: number; calls: number; minutes: number },
): FlowLog {
  const subjects = ["sam", "eve (works)", "team: a"];
  const at = () => now - (1 + draw.number(minutes)) * MINUTE;
  const session = () => draw.one([null, "s-1", "s-2"]);
  const times = Array.from({ length: count }, at).toSorted((left, right) => left - right);
  const calls: WorldCall[] = [];
  for (const [n, time] of times.entries()) {
    const [subject, of] = [draw.one(subjects), session()];
    const parents = calls.slice(-5).filter((one) => one.subject === subject && one.outcome !== "denied");
    calls.push({
      callId: `call-${String(n).padStart(6, "0")}`,
      at: time,
      toolId: draw.one([...TOOLS, ...TOOLS, ...TOOLS, "shop:gone"]),
      subject,
      session: of,
      parent: draw.number(5) === 0 ? (parents.at(-1)?.callId ?? null) : null,
      outcome: draw.one(["succeeded", "succeeded", "succeeded", "failed", "open", "denied", "restricted"]),
    });
  }
  const clears = Array.from({ length: count / 20 }, () => {
    const name = draw.one(LABELS);
    return { label: name, subject: draw.one(subjects), session: name === RUN_LABEL ? session() : null, at: at() };
  });
  return { calls, clears: clears.toSorted((left, right) => left.at - right.at) };
}

/** Writes the log past the code under test. */
export async function writeLog({ query }: Pick<TestDatabase, "query">, { calls, clears }: FlowLog): Promise<void> {
  const rows = calls.map((call) => ({ ...call, at: new Date(call.at), issuer: ISSUER }));
  await query(
    `insert into execution ("callId", instance, "requestId", at, door, issuer, subject, agent, "claimsDigest", "toolId", asked,
       policies, groups, revision, session, request, parent)
     select "callId", '', '', at, 'rest', issuer, subject, null, '', "toolId", "toolId", '{}', '{}', 1, session, '{}', parent
     from json_to_recordset($1) as x ("callId" text, at timestamptz, issuer text, subject text, "toolId" text, session text,
       parent text)`,
    [JSON.stringify(rows)],
  );
  const ended = calls
    .filter(({ outcome }) => outcome !== "open")
    .map(({ callId, at, outcome }) => ({
      callId,
      at: new Date(at),
      status: outcome === "restricted" ? "denied" : outcome,
      reason: outcome === "restricted" ? "flow_restricted" : outcome === "denied" ? "no_policy_grant" : null,
    }));
  await query(
    `insert into execution_outcome ("callId", "callAt", at, status, reason, attempts, empty)
     select "callId", at, at, status, reason, 1, false
     from json_to_recordset($1) as x ("callId" text, at timestamptz, status text, reason text)`,
    [JSON.stringify(ended)],
  );
  const events = clears.map(({ label: target, subject, session, at }) => ({
    at: new Date(at),
    target,
    issuer: ISSUER,
    subject,
    session,
  }));
  await query(
    `insert into audit_event (at, kind, actor, role, action, target, issuer, subject, session)
     select at, 'user', 'editor', 'editor', 'labels.cleared', target, issuer, subject, session
     from json_to_recordset($1) as x (at timestamptz, target text, issuer text, subject text, session text) order by at`,
    [JSON.stringify(events)],
  );
}
