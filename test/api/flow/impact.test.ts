import { clearLabel } from "@/lib/store/labels/holders";
import { db } from "@/lib/store/db/database";
import { readClears } from "@/lib/store/labels/clears";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { POST as route } from "@/app/api/admin/flow-impact/route";
import { readFlowImpact } from "@/lib/admin/flow/impact";
import type { FlowImpactInput, FlowImpactOutput, FlowImpactResult } from "@/lib/contracts/decisions/flow-impact";
import { stores } from "@/lib/store/config/index";
import { rotateTokenKeys } from "@/lib/store/oauth/token-keys";
import { save } from "@/test/api/agents-world";
import {
  answerOver,
  documentOf,
  draftOver,
  drawing,
  guessedIn,
  ISSUER,
  logOf,
  worldOf,
  writeLog,
  type FlowLog,
  type FlowWorld,
} from "@/test/api/flow/impact-world";
import { replaySlowly } from "@/test/api/flow/replay-slowly";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// What an unsaved flow rule, label or tool would have done to logged calls (docs/reference/decision.md#flow-impact).

const database = useDatabase();

const [SEED, DRAFTS] = [23, 20];
/** More than one page of the log. */
const CALLS = 2_200;
const DAY = 86_400_000;
const draw = drawing(SEED);
const now = Date.now();
const world: FlowWorld = worldOf(draw);
const log: FlowLog = logOf(draw, { now, calls: CALLS, minutes: 2 * 24 * 60 });

beforeAll(async () => {
  await save(documentOf(world));
  await writeLog(database, log);
}, 60_000);

async function done(input: FlowImpactInput, options: { readonly maxCalls?: number } = {}): Promise<FlowImpactResult> {
  const read = async () => {
    const { replay, result } = await readFlowImpact(input, options);
    if (replay.state === "failed") throw new Error(replay.message);
    return result;
  };
  return (await vi.waitUntil(read, { timeout: 60_000, interval: 20 })) as FlowImpactResult;
}

/** Most drafts are compared with the saved world. */
const replayed = replaySlowly(world, log);

function expected(before: FlowWorld, after: FlowWorld) {
  const [was, is] = [before === world ? replayed : replaySlowly(before, log), replaySlowly(after, log)];
  const changed = (to: string) =>
    log.calls
      .filter(({ callId }) => {
        const [one, two] = [was.get(callId) ?? "", is.get(callId) ?? ""];
        return two === to && one !== two && ["passes", "hidden", "waits"].includes(one);
      })
      .map(({ callId }) => callId);
  return { stopped: changed("hidden"), waiting: changed("waits"), allowed: changed("passes") };
}

/** Compares an impact with a slow replay, and adds up the changed calls. */
async function compare(
  input: FlowImpactInput,
  { before, after }: { readonly before: FlowWorld; readonly after: FlowWorld },
  totals: Record<"stopped" | "waiting" | "allowed", number>,
): Promise<void> {
  const result = await done(input);
  const wanted = expected(before, after);
  for (const change of ["stopped", "waiting", "allowed"] as const) {
    const ids = wanted[change];
    totals[change] += ids.length;
    expect.soft([input, change, result[change].count]).toEqual([input, change, ids.length]);
    expect.soft(result[change].calls.map(({ callId }) => callId)).toEqual(ids.slice(-100).toReversed());
  }
}

describe("the impact of a draft on logged calls", () => {
  it("is what a slow replay of all earlier calls finds, for rules, labels and tools", async () => {
    const totals = { stopped: 0, waiting: 0, allowed: 0 };
    for (let n = 0; n < DRAFTS; n += 1) {
      const { input, before, after } = draftOver(world, drawing(SEED + n));
      await compare({ ...input, days: 30 } as FlowImpactInput, { before, after }, totals);
    }
    // The drafts exercise every kind of change.
    for (const count of Object.values(totals)) expect(count).toBeGreaterThan(20);
  }, 240_000);

  it("is what a slow replay finds for answers to guesses: a replaced guess counts, a confirmed one changes nothing", async () => {
    const totals = { stopped: 0, waiting: 0, allowed: 0 };
    for (let n = 0; n < DRAFTS; n += 1) {
      const { answer, after } = answerOver(world, drawing(SEED + n));
      await compare({ answer, days: 30 }, { before: world, after }, totals);
    }
    expect(totals.stopped).toBeGreaterThan(20);
    expect(totals.allowed).toBeGreaterThan(20);
    const all = guessedIn(world).map(({ id }) => id);
    const none = { count: 0, calls: [] };
    expect(await done({ answer: { ids: all, flow: null }, days: 30 })).toMatchObject({
      stopped: none,
      waiting: none,
      allowed: none,
    });
  }, 240_000);

  it("names each call with its rules, and the calls that raised their labels", async () => {
    const rule = { name: "new", when: ["private"], restrict: [{ is: "outward" }] };
    const { stopped, calls, since, more } = await done({ resource: "flows", input: rule, days: 30 });
    const judged = log.calls.filter(({ outcome }) => outcome !== "denied");
    expect({ calls, since, more }).toEqual({
      calls: judged.length,
      since: new Date(judged[0]?.at ?? 0).toISOString(),
      more: false,
    });
    expect(stopped.count).toBeGreaterThan(0);
    for (const { rules, raisedBy, toolId, who } of stopped.calls) {
      expect(world.tools.find(({ id }) => id === toolId)?.is).toContain("outward");
      expect([rules, raisedBy.map(({ label }) => label)]).toEqual([["new"], ["private"]]);
      const raiser = log.calls.find(({ callId }) => callId === raisedBy[0]?.callId);
      expect(raiser).toMatchObject({ subject: who, toolId: raisedBy[0]?.toolId });
    }
  });

  it("replays the window alone, and of many calls the latest", async () => {
    const input = { name: "new", when: ["draft"], restrict: [{ is: "outward" }] };
    const day = await done({ resource: "flows", input, days: 1 });
    const inDay = log.calls.filter(({ at, outcome }) => at >= now - DAY && outcome !== "denied");
    // The window moves while the test runs.
    expect(Math.abs(day.calls - inDay.length)).toBeLessThan(50);
    const latest = await done(
      { resource: "flows", input: { ...input, name: "capped" }, days: 30 },
      { maxCalls: 1_000 },
    );
    expect(latest.more).toBe(true);
    expect(latest.since).toBe(
      new Date(log.calls.slice(-1_001).find(({ outcome }) => outcome !== "denied")?.at ?? 0).toISOString(),
    );
  });

  it("ends a replay that nobody asks for any more", async () => {
    let time = now;
    const clock = () => {
      time += 11_000;
      return time;
    };
    const input = { name: "left", when: ["draft"], restrict: [{ is: "money" }] };
    const asked = { resource: "flows", input, days: 30 } as const;
    const { replay } = await readFlowImpact(asked, { clock });
    expect(replay.state).toBe("running");
    // A later request starts it again.
    expect((await done(asked)).calls).toBeGreaterThan(0);
  });
});

describe("a replay", () => {
  const draft = (name: string) =>
    ({ resource: "flows", input: { name, when: ["draft"], restrict: [{ is: "money" }] }, days: 30 }) as const;

  it("ends well although it waited two minutes for another replay", async () => {
    let time = now;
    const clock = () => time;
    await Promise.all([readFlowImpact(draft("earlier")), readFlowImpact(draft("later"), { clock })]);
    time += 121_000;
    const ended = async () => {
      const { replay } = await readFlowImpact(draft("later"), { clock });
      return replay.state === "running" ? null : replay;
    };
    expect(await vi.waitUntil(ended, { timeout: 60_000, interval: 20 })).toEqual({ state: "done" });
  });

  it("stays known after a revision that changes no rule", async () => {
    const { revision } = await readFlowImpact(draft("kept"));
    const result = await done(draft("kept"));
    await rotateTokenKeys();
    const after = await readFlowImpact(draft("kept"));
    expect(after.revision).toBeGreaterThan(revision);
    expect(after.result).toBe(result);
  });

  it("finds the tools of its guesses once, not at each poll", async () => {
    const matching = vi.spyOn(stores.tools, "matching");
    const guess = { guess: { query: {} }, days: 30 } as const;
    await done(guess);
    await readFlowImpact(guess);
    expect(matching).toHaveBeenCalledTimes(1);
    matching.mockRestore();
  });
});

describe("the route", () => {
  const body = { resource: "flows", input: { name: "new", when: ["private"], restrict: [{ is: "outward" }] } };
  it("answers at once, and has the result later", async () => {
    const read = () => ask<FlowImpactOutput>(route, "POST", "/api/admin/flow-impact", { body, role: "auditor" });
    const { status, json } = await read();
    expect([status, json.days]).toEqual([200, 30]);
    await vi.waitUntil(async () => (await read()).json.result !== null, { timeout: 60_000, interval: 20 });
  });
  it.each([
    ["a row that is not valid", { resource: "flows", input: { name: "new", when: "private" } }, "input.when"],
    ["neither a row nor an id", { resource: "labels" }, "input"],
    ["a row that does not exist", { resource: "labels", id: "nothing", input: { name: "nothing" } }, "id"],
    ["neither a row nor an answer", {}, "resource"],
    ["a row beside an answer", { ...body, answer: { ids: ["shop:tool_1"], flow: null } }, "resource"],
    ["an answer for an unknown tool", { answer: { ids: ["shop:tool_1", "shop:gone"], flow: null } }, "answer.ids[1]"],
    ["a guess for an unknown tool", { guess: { ids: ["shop:tool_1", "shop:gone"] } }, "guess.ids[1]"],
    ["a guess by an unknown filter", { guess: { query: { weather: "rain" } } }, "weather"],
    ["a guess beside a row", { ...body, guess: { query: {} } }, "resource"],
    ["an id beside an answer", { answer: { ids: ["shop:tool_1"], flow: null }, id: "shop:tool_1" }, "id"],
    ["an input beside a guess", { guess: { ids: ["shop:tool_1"] }, input: {} }, "input"],
    ["a resource without flow", { resource: "policies", id: "all" }, "resource"],
  ])("refuses %s", async (_name, sent, path) => {
    const { status, json } = await ask(route, "POST", "/api/admin/flow-impact", { body: sent });
    expect([status, json.errors[0]?.path]).toEqual([400, path]);
  });
});

it("knows the clears that people make, whatever their reason says", async () => {
  const owner = { issuer: ISSUER, subject: "odd (one)", session: "s-9" };
  const reader = { ...owner, session: null };
  const columns = {
    session: owner.session,
    callId: "call_x",
    toolId: "shop:read",
    label: "private",
    at: new Date(now),
  };
  await db().heldLabel.createMany({ data: [{ ...columns, issuer: ISSUER, subject: owner.subject }] });
  const actor = { kind: "user", name: "editor", role: "editor" } as const;
  const reason = "other (issuer), session s-1: wrong";
  await clearLabel({ actor, requestId: "request" }, "private", { ...owner, reason });
  const span = { from: new Date(Date.now() - DAY), until: new Date(Date.now() + DAY) };
  const [clear, ...others] = (await readClears(span)).filter(({ owner: { subject } }) => subject === owner.subject);
  expect([clear, others]).toMatchObject([{ label: "private", owner, by: "editor" }, []]);
  expect(await readClears(span, owner)).toEqual([clear]);
  expect(await readClears(span, reader)).toEqual([]);
});
