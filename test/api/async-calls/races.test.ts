import { Client as Connection } from "pg";
import { beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { cancelCall, readCall } from "@/lib/agents/rest/calls";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { approveCall } from "@/lib/store/calls/approvals";
import { readSettings, saveSettings } from "@/lib/store/config/settings";
import { storeAnswer } from "@/lib/store/calls/stored-calls";
import { builtinTools } from "@/lib/calls/builtin/index";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { runQueued } from "@/test/support/jobs/run-queued";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
let key: string;
let reader: Client;

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  reader = new Client(key);
});

async function accepted(headers: Record<string, string> = {}): Promise<string> {
  const answer = await reader.call({ ...CALL, mode: "async" }, headers);
  expect(answer.status).toBe(202);
  return answer.json.call_id;
}

async function standing(id: string, ask = readCall): Promise<CallOutput> {
  const headers = { authorization: `Bearer ${key}` };
  const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}`, { headers });
  return (await ask(request, { params: Promise.resolve({ id }) })).json() as Promise<CallOutput>;
}

/** The state in which `work` runs: the outcome of a call is in the log, and its answer is not stored yet. */
function between<T>(work: () => Promise<T>) {
  let found: T | undefined;
  const writeOutcome: Dependencies["writeOutcome"] = async (...given) => {
    const state = await production().writeOutcome(...given);
    found = await work();
    return state;
  };
  return { deps: (): Dependencies => ({ ...production(), writeOutcome }), found: () => found };
}

describe("a call that is answered later, between its outcome and its answer,", () => {
  it("still runs: what the log has of its result is redacted and cut", async () => {
    const id = await accepted();
    const { deps, found } = between(() => standing(id));
    await runQueued(id, deps());
    expect(found()?.status).toBe("running");
    expect(found()).not.toHaveProperty("output");
    expect(await standing(id)).toMatchObject({ status: "succeeded", output: { value: 42 } });
  });

  it("does not run again when its process dies there; the outcome in the log is its answer", async () => {
    const id = await accepted({ "idempotency-key": crypto.randomUUID() });
    await database.query(`update kept_call set repeatable = true where "callId" = $1`, [id]);
    await runQueued(id, production());
    // The state before the answer was stored.
    await database.query(`insert into instance (id, "seenAt") values ('ended', now() - interval '1 hour')`);
    await database.query(
      `update kept_call set status = 'running', answer = null, job = 'sealed', instance = 'ended' where "callId" = $1`,
      [id],
    );
    await reapInterrupted(new Date());
    await runQueued(id, production());
    expect(await standing(id)).toMatchObject({ status: "succeeded", output: { value: 42 } });
  });

  it("keeps the answer that is kept first, should two processes have run it", async () => {
    const id = await accepted();
    await runQueued(id, production());
    const first = await standing(id);
    await storeAnswer(id, JSON.stringify({ code: "interrupted", output: { ...first, status: "failed" } }));
    expect(await standing(id)).toEqual(first);
  });
});

describe("a call that was accepted, and finds its place taken,", () => {
  /** The tool takes one call at a time, and one runs. */
  async function occupied(changes: Record<string, unknown> = {}) {
    const tools = builtinTools().map((tool) =>
      tool.id === CALL.tool_id ? { ...tool, limits: { concurrency: 1 } } : tool,
    );
    await save({ ...supportDocument({ tools }), ...changes });
    onTestFinished(async () => void (await save(supportDocument())));
    const { runners } = production();
    let leave = () => {};
    const left = new Promise<void>((resolve) => (leave = resolve));
    let enter = () => {};
    const entered = new Promise<void>((resolve) => (enter = resolve));
    const builtin: typeof runners.builtin = async (input) => {
      enter();
      await left;
      return runners.builtin(input);
    };
    const first = runQueued(await accepted(), { ...production(), runners: { ...runners, builtin } });
    await entered;
    return async () => {
      leave();
      await first;
    };
  }

  it("returns to the queue, survives the end of its process, and runs when a place is free", async () => {
    const leave = await occupied();
    const id = await accepted();
    await runQueued(id, production());
    expect(await database.query(`select status, instance from kept_call where "callId" = $1`, [id])).toEqual([
      { status: "queued", instance: null },
    ]);
    await leave();
    await runQueued(id, production());
    expect(await standing(id)).toMatchObject({ status: "succeeded", output: { value: 42 } });
  });

  it("is decided again: a policy that ended meanwhile grants nothing", async () => {
    const until = Date.now() + 300_000;
    const document = supportDocument() as { policies: { name: string }[] };
    const policies = document.policies.map((policy) =>
      policy.name === "support-staff" ? { ...policy, validUntil: new Date(until).toISOString() } : policy,
    );
    const leave = await occupied({ policies });
    const id = await accepted();
    await runQueued(id, production());
    expect((await standing(id)).status).toBe("pending");
    await leave();
    await runQueued(id, { ...production(), now: () => until + 1 });
    expect(await standing(id)).toMatchObject({ status: "denied", error: { code: "tool_not_available" } });
  });

  it("ends when it is cancelled", async () => {
    const leave = await occupied();
    const id = await accepted();
    await runQueued(id, production());
    expect((await standing(id, cancelCall)).status).toBe("cancelled");
    await leave();
  });

  it("ends after 24 hours, and says that it waited and did not run", async () => {
    await (
      await occupied()
    )();
    const { limits } = production();
    const take = () => Promise.reject(new Error("the places cannot be read"));
    const after = (hours: number) => ({
      ...production(),
      limits: { ...limits, take },
      now: () => Date.now() + hours * 3_600_000,
    });
    const [id, other] = [await accepted(), await accepted()];
    await runQueued(id, after(25));
    const message = expect.stringMatching(/^The call waited 24 hours and did not run\. The last try: /);
    expect(await standing(id)).toMatchObject({ status: "failed", attempts: 0, error: { code: "overloaded", message } });
    await runQueued(other, after(23));
    expect((await standing(other)).status).toBe("pending");
    await runQueued(other, production());
  });

  it("has 24 hours from its approval: the time that a person takes does not count", async () => {
    const tools = builtinTools().map((tool) =>
      tool.id === CALL.tool_id ? { ...tool, requiresApproval: true, limits: { concurrency: 1 } } : tool,
    );
    const { settings, version } = await readSettings();
    const longest = await saveSettings(
      ADMIN,
      { ...settings, approvals: { sideEffects: false, minutes: 1440 } },
      version,
    );
    await save(supportDocument({ tools }));
    onTestFinished(async () => {
      await save(supportDocument());
      await saveSettings(ADMIN, settings, longest.version);
    });
    const id = await accepted();
    const after = (minutes: number) => Date.now() + minutes * 60_000;
    const decision = { actor: ADMIN, reason: "", requestId: "r1" };
    expect(await approveCall(id, decision, new Date(after(23 * 60 + 50)))).toBe(true);
    const { limits } = production();
    const take = () => Promise.reject(new Error("the places cannot be read"));
    const run = (minutes: number) =>
      runQueued(id, { ...production(), limits: { ...limits, take }, now: () => after(minutes) });
    await run(24 * 60 + 10);
    expect((await standing(id)).status).toBe("pending");
    await run(48 * 60 + 10);
    const message = expect.stringMatching(/^The call waited 24 hours and did not run/);
    expect(await standing(id)).toMatchObject({ status: "failed", error: { code: "overloaded", message } });
  });

  it("returns to the queue too when the places cannot be read", async () => {
    const id = await accepted();
    const leave = await occupied();
    await leave();
    const { limits } = production();
    const take: typeof limits.take = async (...asked) => {
      await limits.take(...asked);
      throw new Error("the answer is lost");
    };
    await runQueued(id, { ...production(), limits: { ...limits, take } });
    expect((await standing(id)).status).toBe("pending");
    await runQueued(id, production());
    expect(await standing(id)).toMatchObject({ status: "succeeded" });
  });
});

it("a resumed call whose refusal is in the log although the write got no answer has ended, and never runs", async () => {
  const id = await accepted();
  const document = supportDocument() as { policies: { name: string }[] };
  const policies = document.policies.map((policy) =>
    policy.name === "support-staff" ? { ...policy, active: false } : policy,
  );
  await save({ ...document, policies });
  const writeOutcome = vi.fn<Dependencies["writeOutcome"]>(async (...given) => {
    await production().writeOutcome(...given);
    throw new Error("the answer is lost");
  });
  await runQueued(id, { ...production(), writeOutcome });
  await save(supportDocument());
  expect(writeOutcome).toHaveBeenCalledTimes(1);
  const denied = { status: "denied", error: { code: "tool_not_available" } };
  expect(await standing(id)).toMatchObject(denied);
  await runQueued(id, production());
  expect(await standing(id)).toMatchObject(denied);
});

describe("an idempotency key", () => {
  const withKey = () => ({ "idempotency-key": crypto.randomUUID() });

  it("of a call that has just run answers its own result or none, never the log's redacted one", async () => {
    const headers = withKey();
    const { deps, found } = between(() => reader.call(CALL, headers));
    const first = await new Client(key, deps).call(CALL, headers);
    expect(found()?.status).toBe(409);
    expect((await reader.call(CALL, headers)).json).toEqual(first.json);
  });

  it("gives its call's answer, although that could not be kept at once", async () => {
    const { storedCalls } = production();
    let lost = true;
    const keeping: typeof storedCalls.storeAnswer = async (...given) => {
      if (lost) throw ((lost = false), new Error("lost"));
      await storedCalls.storeAnswer(...given);
    };
    const headers = withKey();
    const deps = () => ({ ...production(), storedCalls: { ...storedCalls, storeAnswer: keeping } });
    const first = await new Client(key, deps).call(CALL, headers);
    expect(first.status).toBe(200);
    await vi.waitFor(async () => expect((await reader.call(CALL, headers)).json).toEqual(first.json), {
      timeout: 10_000,
    });
  });

  it("that is freed while a second call checks its owner belongs to that second call", async () => {
    const headers = withKey();
    const first = await reader.call(CALL, headers);
    const { query } = Connection.prototype;
    const asked = vi.spyOn(Connection.prototype, "query");
    onTestFinished(() => asked.mockRestore());
    asked.mockImplementation(async function (this: Connection, ...given: unknown[]) {
      const { text = "" } = given[0] as { text?: string };
      if (/^select\b.*"kept_call"/is.test(text))
        await database.query(`delete from kept_call where "callId" = $1`, [first.json.call_id]);
      return Reflect.apply(query, this, given) as unknown;
    } as never);
    const second = await reader.call(CALL, headers);
    expect(second.status).toBe(200);
    expect(second.json.call_id).not.toBe(first.json.call_id);
  });
});
