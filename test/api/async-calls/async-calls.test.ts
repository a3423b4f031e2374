import { Client as Connection } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { stopJobs } from "@/lib/jobs/runner";
import { callToolWith } from "@/lib/agents/rest/call";
import { cancelCall, followCall, readCall } from "@/lib/agents/rest/calls";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { getExecution } from "@/lib/store/log/executions";
import { liveInstance, reapInterrupted } from "@/lib/store/log/executions-reaper";
import { idempotencyDigest } from "@/lib/store/calls/stored-calls";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument, type Got, type Problem } from "@/test/api/agents-world";
import { builtinTools } from "@/lib/calls/builtin/index";
import { claimCall, runQueued } from "@/test/support/jobs/run-queued";
import { startJob } from "@/test/support/jobs/start-job";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const LATER = { ...CALL, mode: "async" };
let key: string;
let other: string;
let reader: Client;

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  other = await keyOf("refunder");
  reader = new Client(key);
});
afterAll(stopJobs);

/** Every tool of the test waits until it is released; changes made meanwhile are then in force. */
function gate(
  meanwhile: (context: { progress: (f: number, m: string) => void; emit: (chunk: string) => void }) => void = () => {},
) {
  let open = () => {};
  let began = () => {};
  const running = new Promise<void>((resolve) => (began = resolve));
  const end = new Promise<void>((resolve) => (open = resolve));
  const { runners } = production();
  let runs = 0;
  const builtin: typeof runners.builtin = async (input) => {
    runs += 1;
    meanwhile(input.context);
    began();
    await Promise.race([end, new Promise((resolve) => input.signal.addEventListener("abort", resolve))]);
    return runners.builtin(input);
  };
  return {
    deps: (): Dependencies => ({ ...production(), runners: { ...runners, builtin } }),
    running,
    open: () => open(),
    runs: () => runs,
  };
}

async function ask(
  handler: typeof readCall,
  id: string,
  query = "",
  credential = key,
): Promise<Got<CallOutput & Problem>> {
  const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  const response = await handler(request, { params: Promise.resolve({ id }) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") ? JSON.parse(text) : null,
  };
}

async function accepted(body: object = LATER, headers: Record<string, string> = {}): Promise<string> {
  const answer = await reader.call(body, headers);
  expect(answer.status).toBe(202);
  expect(answer.json).toMatchObject({ status: "pending", delivery: "at_most_once" });
  return answer.json.call_id;
}

async function outcomes(callId: string): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from execution_outcome where "callId" = $1`,
    [callId],
  );
  return row!.count;
}

describe("a call of mode async", () => {
  it("is accepted with 202 and logged; after a worker ran it, the whole answer is available", async () => {
    const id = await accepted();
    expect((await ask(readCall, id)).json).toMatchObject({ call_id: id, status: "pending" });
    expect((await ask(readCall, id)).status).toBe(202);
    expect((await getExecution(id, { bodies: false }))?.status).toBe("running");
    await runQueued(id, production());
    const answer = await ask(readCall, id);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      status: "succeeded",
      output: { value: 42 },
      tool_id: CALL.tool_id,
      attempts: 1,
      delivery: "at_most_once",
    });
    expect(await getExecution(id, { bodies: true })).toMatchObject({ status: "succeeded", result: { value: 42 } });
    expect(await outcomes(id)).toBe(1);
  });

  it("is decided again at its start: a right that was withdrawn meanwhile refuses it", async () => {
    const id = await accepted();
    const tools = builtinTools();
    await save({
      apiVersion: "quartermaster/v1",
      tools: tools.map((tool) => (tool.id === CALL.tool_id ? { ...tool, enabled: false } : tool)),
    });
    const tool = gate();
    await runQueued(id, tool.deps());
    await save({ apiVersion: "quartermaster/v1", tools });
    expect(tool.runs()).toBe(0);
    expect((await ask(readCall, id)).json).toMatchObject({ status: "denied", error: { code: "tool_not_available" } });
    expect((await getExecution(id, { bodies: false }))?.reason).toBe("tool_disabled");
  });

  it("does not run when its key was revoked meanwhile", async () => {
    const mine = await keyOf("reader", "short-lived");
    const answer = await new Client(mine).call(LATER);
    await database.query("update api_key set enabled = false where name = 'short-lived'");
    const tool = gate();
    await runQueued(answer.json.call_id, tool.deps());
    expect(tool.runs()).toBe(0);
    expect((await ask(readCall, answer.json.call_id)).json).toMatchObject({ error: { code: "unauthenticated" } });
    expect(await outcomes(answer.json.call_id)).toBe(1);
  });

  it("runs once, however many processes get the notice", async () => {
    const id = await accepted();
    const tool = gate();
    const runs = [runQueued(id, tool.deps()), runQueued(id, tool.deps()), runQueued(id, tool.deps())];
    await tool.running;
    tool.open();
    await Promise.all(runs);
    expect(tool.runs()).toBe(1);
    expect(await outcomes(id)).toBe(1);
  });

  it("is found by the queue's worker, and its end answers a long poll", async () => {
    startJob("queued-calls");
    const id = await accepted();
    const answer = await ask(readCall, id, "?wait=30");
    expect(answer.json).toMatchObject({ status: "succeeded", output: { value: 42 } });
    await stopJobs();
  });

  it("of a long-running tool is async without a request for it", async () => {
    await save({
      apiVersion: "quartermaster/v1",
      tools: builtinTools().map((tool) => (tool.id === CALL.tool_id ? { ...tool, longRunning: true } : tool)),
    });
    const id = await accepted(CALL);
    await runQueued(id, production());
    expect((await ask(readCall, id)).json.status).toBe("succeeded");
    await save({ apiVersion: "quartermaster/v1", tools: [...builtinTools()] });
  });

  it("is refused at once when the rules do not allow it", async () => {
    const answer = await reader.call({ ...LATER, arguments: {} });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ status: "failed", error: { code: "invalid_arguments" } });
  });

  it("cannot be read by another caller", async () => {
    const id = await accepted();
    for (const endpoint of [readCall, cancelCall, followCall])
      expect((await ask(endpoint, id, "", other)).status).toBe(404);
    await runQueued(id, production());
  });

  it("keeps arguments, credential and answer unreadable in the database", async () => {
    const id = await accepted({ ...LATER, arguments: { expression: "1234567 + 0" } });
    const rows = async () => JSON.stringify(await database.query(`select * from kept_call where "callId" = $1`, [id]));
    expect(await rows()).not.toContain("1234567");
    expect(await rows()).not.toContain(key);
    await runQueued(id, production());
    expect(await rows()).not.toContain("1234567");
    expect((await ask(readCall, id)).json.output).toEqual({ value: 1234567 });
  });
});

describe("a cancelled call", () => {
  it("never runs when it is cancelled while it waits", async () => {
    const id = await accepted();
    const cancelled = await ask(cancelCall, id);
    expect(cancelled.json).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    const tool = gate();
    await runQueued(id, tool.deps());
    expect(tool.runs()).toBe(0);
    expect((await getExecution(id, { bodies: false }))?.status).toBe("cancelled");
  });

  it("is aborted while it runs, on whichever instance, and its state does not move", async () => {
    const id = await accepted();
    const tool = gate();
    const run = runQueued(id, tool.deps());
    await tool.running;
    const cancelled = await ask(cancelCall, id);
    expect(cancelled.json).toMatchObject({ status: "cancelled", error: { code: "cancelled", retryable: false } });
    await run;
    expect(await getExecution(id, { bodies: false })).toMatchObject({ status: "cancelled", code: "cancelled" });
  });

  it("after its end changes nothing", async () => {
    const id = await accepted();
    await runQueued(id, production());
    expect((await ask(cancelCall, id)).json.status).toBe("succeeded");
  });
});

it("a call that was accepted waits for its place instead of being refused", async () => {
  const limits = { concurrency: 1 };
  await save({
    apiVersion: "quartermaster/v1",
    tools: builtinTools().map((tool) => (tool.id === CALL.tool_id ? { ...tool, limits } : tool)),
  });
  const [first, second] = [await accepted(), await accepted()];
  startJob("queued-calls");
  const ended = await Promise.all([first, second].map((id) => ask(readCall, id, "?wait=30")));
  await stopJobs();
  await save({ apiVersion: "quartermaster/v1", tools: [...builtinTools()] });
  for (const { json } of ended) expect(json.status).toBe("succeeded");
});

describe("a call whose process died", () => {
  const die = async (id: string) => {
    await database.query(
      `insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour') on conflict (id) do nothing`,
    );
    expect(await claimCall(id, "dead")).not.toBeNull();
    await reapInterrupted(new Date());
  };

  it("is interrupted: it does not run a second time", async () => {
    const id = await accepted();
    await die(id);
    const answer = await ask(readCall, id);
    expect(answer.json).toMatchObject({ error: { code: "interrupted", retryable: false }, delivery: "at_most_once" });
    const tool = gate();
    await runQueued(id, tool.deps());
    expect(tool.runs()).toBe(0);
    expect(await outcomes(id)).toBe(1);
  });

  it("runs again when it is repeatable", async () => {
    const id = await accepted(LATER, { "idempotency-key": "again-and-again" });
    await database.query(`update kept_call set repeatable = true where "callId" = $1`, [id]);
    await die(id);
    expect((await ask(readCall, id)).json.status).toBe("pending");
    await runQueued(id, production());
    expect((await ask(readCall, id)).json).toMatchObject({ status: "succeeded", output: { value: 42 } });
    expect(await outcomes(id)).toBe(1);
  });

  it("before it took the call on, leaves it waiting for another", async () => {
    const id = await accepted();
    const instance = await liveInstance();
    await database.query(`update instance set "seenAt" = now() - interval '1 hour' where id = $1`, [instance]);
    await reapInterrupted(new Date());
    expect((await ask(readCall, id)).json.status).toBe("pending");
    await runQueued(id, production());
    expect((await ask(readCall, id)).json.status).toBe("succeeded");
  });
});

describe("a stream", () => {
  const events = (text: string) =>
    [...text.matchAll(/event: (\w+)\ndata: (.*)\n/g)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data ?? ""),
    }));

  it("sends progress and chunks while the tool runs, then the result, which the log has too", async () => {
    const tool = gate(({ progress, emit }) => {
      progress(0.5, "half way");
      emit("first");
      emit("second");
    });
    tool.open();
    const streamed = await streamOf(tool.deps, { ...CALL, stream: true });
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    const got = events(await streamed.text());
    expect(got.map(({ event }) => event)).toEqual(["progress", "chunk", "chunk", "result"]);
    expect(got[0]?.data).toMatchObject({ fraction: 0.5, message: "half way" });
    expect(got[3]?.data).toMatchObject({ status: "succeeded", output: { value: 42 } });
    expect((await getExecution(got[3]?.data.call_id, { bodies: true }))?.result).toEqual({ value: 42 });
  });

  it("of an async call is followed from another connection", async () => {
    let tell: (() => void) | undefined;
    const tool = gate(({ progress }) => (tell = () => progress(0.25, "a quarter")));
    const id = await accepted();
    const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}/events`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const response = await followCall(request, { params: Promise.resolve({ id }) });
    const run = runQueued(id, tool.deps());
    await tool.running;
    const reading = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const until = async (word: string) => {
      while (!text.includes(word)) text += (await reading.read()).value ?? "";
    };
    // Notices that come before the stream listens are not for it.
    const telling = setInterval(() => tell?.(), 20);
    await until("a quarter");
    clearInterval(telling);
    tool.open();
    await until("event: result");
    await run;
    expect(events(`${text}\n`).at(-1)?.data).toMatchObject({ status: "succeeded", output: { value: 42 } });
  });

  async function streamOf(deps: () => Dependencies, body: object): Promise<Response> {
    return callToolWith(deps)(
      new Request("http://127.0.0.1:3000/api/agents/tools/call", {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  }
});

describe("an idempotency key", () => {
  const withKey = (name: string) => ({ "idempotency-key": name });

  it("makes the same call once: the second has the first one's answer and call id", async () => {
    const first = await reader.call(CALL, withKey("k1"));
    const second = await reader.call(CALL, withKey("k1"));
    expect(second.status).toBe(200);
    expect(second.json).toEqual(first.json);
    const rows = await database.query(`select 1 from execution where "callId" = $1`, [first.json.call_id]);
    expect(rows).toHaveLength(1);
  });

  it("with another body is refused, and the log says so", async () => {
    await reader.call(CALL, withKey("k2"));
    const refused = await reader.call({ ...CALL, arguments: { expression: "1" } }, withKey("k2"));
    expect(refused.status).toBe(422);
    expect(refused.json.error?.code).toBe("idempotency_conflict");
    expect((await getExecution(refused.json.call_id, { bodies: false }))?.code).toBe("idempotency_conflict");
  });

  it("of a call that still runs gets an answer to retry later", async () => {
    const tool = gate();
    const first = new Client(key, tool.deps).call(CALL, withKey("k3"));
    await tool.running;
    const second = await reader.call(CALL, withKey("k3"));
    expect(second.status).toBe(409);
    expect(second.headers.get("retry-after")).toBe("1");
    expect(second.json.error).toMatchObject({ code: "idempotency_conflict", retryable: true });
    tool.open();
    expect((await first).json.status).toBe("succeeded");
    expect(tool.runs()).toBe(1);
  });

  it("is free again after a refusal, because nothing ran", async () => {
    expect((await reader.call({ tool_id: "builtin:none", arguments: {} }, withKey("k4"))).status).toBe(404);
    expect((await reader.call(CALL, withKey("k4"))).json.status).toBe("succeeded");
  });

  it("belongs to its caller: another's equal key is another key", async () => {
    const mine = await reader.call(CALL, withKey("k5"));
    const others = await new Client(other).call(CALL, withKey("k5"));
    expect(others.json.call_id).not.toBe(mine.json.call_id);
  });

  it("is free again after a day", async () => {
    let now = Date.now();
    const client = new Client(key, () => ({ ...production(), now: () => now }));
    const first = await client.call(CALL, withKey("k6"));
    now += 24 * 3_600_000;
    expect((await client.call(CALL, withKey("k6"))).json.call_id).not.toBe(first.json.call_id);
  });

  it("that is free again gives the new call no pause of the former one in the queue", async () => {
    const first = await accepted(LATER, withKey("k10"));
    await runQueued(first, production());
    await database.query(`update kept_call set "dueAt" = now() + interval '1 hour', at = at - interval '2 days',
      "endsAt" = "endsAt" - interval '2 days' where "callId" = '${first}'`);
    const again = await accepted(LATER, withKey("k10"));
    expect(again).not.toBe(first);
    const row = `select status, "dueAt" from kept_call where "callId" = $1`;
    expect(await database.query(row, [again])).toEqual([{ status: "queued", dueAt: null }]);
  });

  it("of a call that has not ended stays its key for longer than a day", async () => {
    const first = await accepted(LATER, withKey("k9"));
    const tomorrow = () => ({ ...production(), now: () => Date.now() + 25 * 3_600_000 });
    const again = await new Client(key, tomorrow).call(LATER, withKey("k9"));
    expect(again).toMatchObject({ status: 409, json: { error: { details: { call_id: first } } } });
    await runQueued(first, production());
    expect((await ask(readCall, first)).json.status).toBe("succeeded");
  });

  it("of a call whose process died reports that it was interrupted", async () => {
    const { runners } = production();
    const dies: typeof runners.builtin = () => new Promise(() => {});
    void new Client(key, () => ({ ...production(), runners: { ...runners, builtin: dies } })).call(CALL, withKey("k7"));
    await vi.waitFor(async () => {
      const [row] = await database.query<{ callId: string }>(
        `select e."callId" from kept_call k join execution e on e."callId" = k."callId" where k."idempotencyKey" = $1`,
        [idempotencyDigest("k7")],
      );
      expect(row).toBeDefined();
    });
    await database.query(`insert into instance (id, "seenAt") values ('gone', now() - interval '1 hour')`);
    await database.query(`update kept_call set instance = 'gone' where "idempotencyKey" = $1`, [
      idempotencyDigest("k7"),
    ]);
    await reapInterrupted(new Date());
    const again = await reader.call(CALL, withKey("k7"));
    expect(again.status).toBe(200);
    expect(again.json.error?.code).toBe("interrupted");
  });

  it("with an invalid value is refused by name", async () => {
    const answer = await reader.call<Problem>(CALL, withKey("white space"));
    expect(answer.status).toBe(400);
    expect(answer.json.errors[0]?.path).toBe("Idempotency-Key");
  });

  it("keeps an async call too", async () => {
    const first = await accepted(LATER, withKey("k8"));
    const again = await reader.call(LATER, withKey("k8"));
    expect(again.status).toBe(409);
    await runQueued(first, production());
    expect((await reader.call(LATER, withKey("k8"))).json).toMatchObject({ call_id: first, status: "succeeded" });
  });
});

it("a call that cannot be queued is not accepted", async () => {
  const lost: Dependencies = {
    ...production(),
    storedCalls: { ...production().storedCalls, queueCall: () => Promise.reject(new Error("lost")) },
  };
  const answer = await new Client(key, () => lost).call(LATER);
  expect(answer.status).toBe(503);
  expect(answer.json.error?.code).toBe("log_unavailable");
});

describe("a call whose acceptance is committed although the commit got no answer", () => {
  /** Loses the answer of the commit that queues a call; `lookUp` false: also that of the look-up which follows. */
  function loseCommit(lookUp: boolean): void {
    const { query } = Connection.prototype;
    const queueing = new Set<Connection>();
    let isLost = false;
    const asked = vi.spyOn(Connection.prototype, "query");
    onTestFinished(() => asked.mockRestore());
    asked.mockImplementation(async function (this: Connection, ...given: unknown[]) {
      const text = typeof given[0] === "string" ? given[0] : ((given[0] as { text?: string }).text ?? "");
      // A pool passes a callback.
      const done = given.findLast((one): one is (error: Error) => void => typeof one === "function");
      if (isLost && !lookUp && /^select count\b.*"kept_call"/is.test(text))
        return done?.(new Error("the store is lost"));
      const found: unknown = await Reflect.apply(query, this, given);
      if (/^insert into\b.*"kept_call"/i.test(text)) queueing.add(this);
      if (!isLost && queueing.has(this) && text === "COMMIT") {
        isLost = true;
        throw new Error("the answer is lost");
      }
      return found;
    } as never);
  }

  it("is accepted", async () => {
    loseCommit(true);
    const id = await accepted();
    await runQueued(id, production());
    expect((await ask(readCall, id)).json.status).toBe("succeeded");
  });

  it("is not reported as not run when the store cannot be asked", async () => {
    loseCommit(false);
    const answer = await reader.call(LATER);
    vi.restoreAllMocks();
    expect(answer.status).toBe(503);
    expect(answer.json.error).toMatchObject({ code: "log_unavailable", retryable: false });
    expect(answer.json.error?.message).toContain("may still run");
    await runQueued(answer.json.call_id, production());
    expect((await ask(readCall, answer.json.call_id)).json.status).toBe("succeeded");
  });
});
