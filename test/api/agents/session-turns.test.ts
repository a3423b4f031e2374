import {
  array,
  assert,
  asyncProperty,
  constantFrom,
  option,
  record,
  sample,
  scheduler as schedulers,
  subarray,
  tuple,
  type Scheduler,
} from "fast-check";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { closeUnfinished } from "@/lib/store/log/executions-reaper";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { cancelHere } from "@/lib/calls/queue/running";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";

// Calls that move the state of one session take turns: from the intent to the outcome nobody else moves it.

vi.setConfig({ testTimeout: 120_000 });
const database = useDatabase();

const STATES = ["a", "b", "c", "d"];
const TOOLS = {
  "builtin:calculate": { expression: "1" },
  "builtin:current_date_time": {},
  "support:lookup_customer": { query: "ada" },
  "support:search_knowledge": { query: "refund" },
} as const;
type ToolId = keyof typeof TOOLS;
const IDS = Object.keys(TOOLS) as ToolId[];
const SEED = 20_261_122;

const ruleArb = record({
  availableIn: option(subarray(STATES), { nil: null, freq: 3 }),
  transitions: array(record({ from: constantFrom("*", ...STATES), to: constantFrom(...STATES) }), {
    maxLength: 3,
  }),
});
/** Machines that all runs share: a save for each would be the whole test. */
const MACHINES = sample(tuple(...IDS.map(() => ruleArb)), { numRuns: 12, seed: SEED }).map((rules, n) => ({
  name: `m${n}`,
  initial: "a",
  states: STATES.map((name) => ({ name })),
  rules: rules.map((rule, at) => ({ tool: IDS[at], ...rule })),
}));
/** Only the first call may run `calculate`; `lookup_customer` moves nothing. */
const ONCE = {
  name: "once",
  initial: "fresh",
  states: [{ name: "fresh" }, { name: "used", terminal: true }],
  rules: [
    { tool: "builtin:calculate", availableIn: ["fresh"], transitions: [{ from: "fresh", to: "used" }] },
    { tool: "support:search_knowledge", transitions: [{ from: "fresh", to: "fresh" }] },
    { tool: "scripts:both", availableIn: ["fresh"], transitions: [{ from: "fresh", to: "used" }] },
  ],
};
const BOTH = `export default async (args, { callTool }) => {
  const call = () => callTool("calculate", { expression: "1" }).then(() => "ran", ({ code }) => code);
  return Promise.all([call(), call(), call()]);
};`;
const PAIR = BOTH.replace('"calculate", { expression: "1" }', '"lookup_customer", { query: "ada" }');

let key: string;

beforeAll(async () => {
  const document = supportDocument() as { sources: object[]; tools: object[]; groups: object[]; policies: object[] };
  const script = (operation: string, code: string) => ({
    id: `scripts:${operation}`,
    description: "A script.",
    inputSchema: { type: "object" },
    run: { kind: "script", code },
  });
  await save({
    ...document,
    sources: [...document.sources, { name: "scripts", kind: "script" }],
    tools: [...document.tools, script("both", BOTH), script("pair", PAIR)],
    groups: [...document.groups, { name: "scripts", selectors: [{ source: "scripts" }] }],
    policies: [...document.policies, { name: "scripters", everyone: true, groups: ["scripts"] }],
    machines: [...MACHINES, ONCE],
    agents: [{ name: "mover", attributes: { team: "support" } }],
  });
  key = await keyOf("mover");
});

function client(changes: (real: Dependencies) => Partial<Dependencies> = () => ({})): Client {
  return new Client(key, () => {
    const real = production();
    return { ...real, ...changes(real) };
  });
}

async function open(machine: string): Promise<string> {
  return (await client().open({ group: ["*"], machine })).json.session_id;
}

const call = (tool: ToolId, session_id: string) => ({ tool_id: tool, arguments: TOOLS[tool], session_id });

/** Messages of a machine that only this test uses. */
function nextOf(machine: (typeof MACHINES)[number], state: string, tool: ToolId): string | null {
  const { availableIn, transitions } = machine.rules.find((rule) => rule.tool === tool)!;
  if (availableIn !== null && !availableIn.includes(state)) return null;
  const taken = transitions.find(({ from }) => from === state) ?? transitions.find(({ from }) => from === "*");
  return taken?.to ?? state;
}

it("whatever the interleaving, calls move a session one after the other, each in the state it was decided in", async () => {
  const arbitrary = tuple(
    constantFrom(...MACHINES),
    array(constantFrom(...IDS), { minLength: 3, maxLength: 6 }),
    schedulers(),
  );
  const holds = async ([machine, tools, scheduler]: readonly [(typeof MACHINES)[number], ToolId[], Scheduler]) => {
    const moves: { from: string; to: string; tool: string; held: boolean; decidedIn: string | null }[] = [];
    const decided = new Map<string, { tool: string; held: boolean; state: string | null }>();
    let moving = 0;
    let most = 0;
    const mover = client((real) => ({
      findSession: async (...asked) => {
        await scheduler.schedule(Promise.resolve());
        return real.findSession(...asked);
      },
      writeIntent: async (intent, preconditions) => {
        await scheduler.schedule(Promise.resolve());
        const written = await real.writeIntent(intent, preconditions);
        const held = preconditions.session?.hold !== null;
        if (!written.written) return written;
        decided.set(intent.callId, { tool: intent.toolId ?? "", held, state: intent.stateBefore });
        if (held) most = Math.max(most, (moving += 1));
        return written;
      },
      writeOutcome: async (outcome, session) => {
        await scheduler.schedule(Promise.resolve());
        const { tool, held, state } = decided.get(outcome.callId)!;
        const seen = session && {
          ...session,
          move: (locked: Parameters<typeof session.move>[0]) => {
            const change = session.move(locked);
            moves.push({ from: locked.state, to: change.state ?? locked.state, tool, held, decidedIn: state });
            return change;
          },
        };
        if (held) moving -= 1;
        return real.writeOutcome(outcome, seen);
      },
    }));
    const session = await open(machine.name);
    const answers = Promise.all(tools.map((tool) => mover.call<CallOutput>(call(tool, session))));
    const ended = await scheduler.waitFor(answers);
    for (const { json } of ended)
      expect(["succeeded", "tool_not_available"]).toContain(json.error?.code ?? json.status);
    expect(most).toBeLessThanOrEqual(1);
    // The moves are one walk of the machine from its initial state to the session's state.
    let state = "a";
    for (const { from, to, tool, held, decidedIn } of moves) {
      expect([from, held ? decidedIn : state]).toEqual([state, state]);
      const next = nextOf(machine, state, tool as ToolId) ?? state;
      // A call that moved nothing when it was decided moves nothing under another's hold.
      expect(held ? [next] : [next, state]).toContain(to);
      state = to;
    }
    expect((await client().session(session)).json.state).toBe(state);
  };
  await assert(asyncProperty(arbitrary, holds), { numRuns: 25, seed: SEED, endOnFailure: true });
});

describe("a call that moves its session", () => {
  /** A client whose tools do not end before `release`; `begun` counts those that run. */
  function held() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    const begun: string[] = [];
    const slow = client((real) => ({
      runners: {
        ...real.runners,
        builtin: async (input) => {
          begun.push(input.tool.id);
          if (input.tool.id === "builtin:calculate") await released;
          return real.runners.builtin(input);
        },
      },
    }));
    return { slow, release, begun };
  }
  const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 10 });
  const holderOf = async (session: string) =>
    (await database.query<{ holder: string | null }>("select holder from agent_session where id = $1", [session]))[0]!
      .holder;

  it("runs alone: of five at once only the first runs, and the others are decided again", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const answers = Array.from({ length: 5 }, () => slow.call(call("builtin:calculate", session)));
    await until(() => begun.length === 1);
    // A call that moves nothing runs concurrently, also with a transition to the same state.
    for (const tool of ["support:lookup_customer", "support:search_knowledge"] as const)
      expect((await slow.call(call(tool, session))).json.status).toBe("succeeded");
    release();
    const ended = (await Promise.all(answers)).map(({ json }) => json.error?.code ?? json.status);
    expect(ended.toSorted()).toEqual(["succeeded", ...Array<string>(4).fill("tool_not_available")]);
    expect(begun.filter((id) => id === "builtin:calculate")).toHaveLength(1);
    expect(await holderOf(session)).toBeNull();
  });

  it("gives the session back when it fails", async () => {
    const session = await open("once");
    const failed = await client().call({ ...call("builtin:calculate", session), arguments: { expression: "1/0" } });
    expect(failed.json.status).toBe("failed");
    expect(await holderOf(session)).toBeNull();
    expect((await client().call(call("builtin:calculate", session))).json.state.after).toBe("used");
  });

  it("gives the session back when its outcome could not be written, once the store is back", async () => {
    const session = await open("once");
    const lost = client(() => ({ writeOutcome: () => Promise.reject(new Error("the store is lost")) }));
    expect((await lost.call(call("builtin:calculate", session))).json.error?.code).toBe("interrupted");
    expect(await holderOf(session)).not.toBeNull();
    await closeUnfinished(new Date());
    expect(await holderOf(session)).toBeNull();
  });

  it("waits at most 30 s for another, and is refused as `session_busy` with a row in the log", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const first = slow.call(call("builtin:calculate", session));
    await until(() => begun.length === 1);
    let clock = 0;
    const impatient = client(() => ({ elapsed: () => (clock += 8_000) }));
    const busy = await impatient.call(call("builtin:calculate", session));
    expect([busy.status, busy.json.error]).toMatchObject([409, { code: "session_busy", retryable: true }]);
    const logged = 'select code, reason from execution_outcome where "callId" = $1';
    expect(await database.query(logged, [busy.json.call_id])).toEqual([
      { code: "session_busy", reason: "session_busy" },
    ]);
    release();
    expect((await first).json.state.after).toBe("used");
  });

  it("can be cancelled while it waits", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const first = slow.call(call("builtin:calculate", session));
    await until(() => begun.length === 1);
    const ids: string[] = [];
    const looks = client((real) => ({
      writeIntent: (intent, preconditions) => (ids.push(intent.callId), real.writeIntent(intent, preconditions)),
    }));
    const second = looks.call(call("builtin:calculate", session));
    await until(() => ids.length > 0);
    cancelHere(ids[0]!);
    expect((await second).json.status).toBe("cancelled");
    release();
    await first;
  });

  it("takes no place of a limit from other calls while it waits", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const first = slow.call(call("builtin:calculate", session));
    await until(() => begun.length === 1);
    const limited = (limits: object) =>
      save({ apiVersion: "quartermaster/v1", agents: [{ name: "mover", attributes: { team: "support" }, limits }] });
    await limited({ concurrency: 1 });
    let waits = false;
    const second = client((real) => ({ isSessionFree: (id) => ((waits = true), real.isSessionFree(id)) }));
    const waiting = second.call(call("builtin:calculate", session));
    await until(() => waits);
    const other = await client().call({ tool_id: "builtin:current_date_time", arguments: {} });
    expect(other.json.status).toBe("succeeded");
    release();
    await Promise.all([first, waiting]);
    await limited({});
  });

  it("loses the session with its process, and with its time", async () => {
    const other = {
      query: 'update agent_session set holder = \'call_gone\', "heldBy" = $2, "heldUntil" = $3 where id = $1',
    };
    const later = new Date(Date.now() + 3_600_000);
    const past = new Date(Date.now() - 1_000);
    for (const [instance, ends] of [
      ["gone", later],
      [await production().liveInstance(), past],
    ] as const) {
      const session = await open("once");
      await database.query(other.query, [session, instance, ends]);
      expect((await client().call(call("builtin:calculate", session))).json.state.after).toBe("used");
    }
  });

  it("holds nothing in the queue: it takes its turn when it runs", async () => {
    const session = await open("once");
    const queued = await client().call({ ...call("builtin:calculate", session), mode: "async" });
    expect(queued.status).toBe(202);
    expect(await holderOf(session)).toBeNull();
  });

  it("returns to the queue at once while another holds the session: no death of its process interrupts it", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const first = slow.call(call("builtin:calculate", session));
    await until(() => begun.length === 1);
    const { json } = await client().call({ ...call("builtin:calculate", session), mode: "async" });
    await runQueued(json.call_id, { ...production(), isSessionFree: () => Promise.reject(new Error("it waits")) });
    const row = `select status, instance from kept_call where "callId" = $1`;
    expect(await database.query(row, [json.call_id])).toEqual([{ status: "queued", instance: null }]);
    release();
    await first;
    await runQueued(json.call_id, production());
    const outcome = `select code from execution_outcome where "callId" = $1`;
    expect(await database.query(outcome, [json.call_id])).toEqual([{ code: "tool_not_available" }]);
  });

  it("is due in the queue as soon as the session is free, before its pause there has ended", async () => {
    const session = await open("once");
    const { slow, release, begun } = held();
    const first = slow.call(call("builtin:calculate", session));
    await until(() => begun.length === 1);
    const { json } = await client().call({ ...call("builtin:calculate", session), mode: "async" });
    let polls = 0;
    const isSessionFree = (id: string) => ((polls += 1), production().isSessionFree(id));
    await runQueued(json.call_id, { ...production(), isSessionFree, elapsed: () => 0 });
    await database.query(`update kept_call set "dueAt" = now() + interval '1 hour' where "callId" = $1`, [
      json.call_id,
    ]);
    await until(() => polls > 1);
    const due = `select 1 from kept_call where status = 'queued' and "dueAt" <= now() and "callId" = $1`;
    expect(await database.query(due, [json.call_id])).toEqual([]);
    release();
    await first;
    await vi.waitFor(async () => expect(await database.query(due, [json.call_id])).toHaveLength(1), {
      timeout: 20_000,
    });
    await runQueued(json.call_id, production());
  });
});

describe("what a script calls", () => {
  it("runs under the script's hold, and calls that move the session take turns among themselves", async () => {
    const session = await open("once");
    const { json } = await client().call({ tool_id: "scripts:both", arguments: {}, session_id: session });
    expect(json.output).toEqual(expect.arrayContaining(["ran", "tool_not_available"]));
    expect((json.output as string[]).filter((one) => one === "ran")).toHaveLength(1);
    expect((await client().session(session)).json.state).toBe("used");
  });

  it("runs at once when it moves nothing", async () => {
    const session = await open("once");
    const { json } = await client().call({ tool_id: "scripts:pair", arguments: {}, session_id: session });
    expect(json.output).toEqual(["ran", "ran", "ran"]);
  });
});
