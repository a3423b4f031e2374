import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { GET as readHealth } from "@/app/api/admin/source-health/route";
import { GET as readBreaker } from "@/app/api/admin/sources/[name]/breaker/route";
import { POST as resetBreaker } from "@/app/api/admin/sources/[name]/breaker/reset/route";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { sourceHealthList } from "@/lib/contracts/sources/source-health";
import { noteBreaker, type TrippedBreaker } from "@/lib/store/calls/breakers";
import { liveInstance } from "@/lib/store/log/executions-reaper";
import { production } from "@/lib/calls/pipeline/dependencies";
import { resilience, type Resilience } from "@/lib/calls/limits/resilience";
import { Client, keyOf, save, supportDocument, type Got } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let upstream: Server;
let key: string;
/** The support desk with a source whose upstream fails on demand. */
let configuration: Record<string, unknown>;
/** The upstream's next answers in order; then 200. */
let statuses: number[] = [];
/** Requests that reached it. */
let reached = 0;
/** Held back until it is let go. */
let hold: Promise<void> | null = null;

beforeAll(async () => {
  upstream = createServer((_request, response) => {
    reached += 1;
    const status = statuses.shift() ?? 200;
    const answer = () => response.writeHead(status, { "content-type": "application/json" }).end('{"ok":true}');
    if (hold === null) answer();
    else void hold.then(answer);
  });
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  allowOutbound(host);
  const tool = (operation: string, method: string, limits = {}) => ({
    id: `shop:${operation}`,
    description: "Asks the shop.",
    inputSchema: { type: "object" },
    run: { kind: "http", method, url: `http://${host}/` },
    limits,
  });
  const document = supportDocument() as { sources: object[]; tools: object[]; policies: object[]; groups: object[] };
  configuration = {
    ...document,
    sources: [...document.sources, { name: "shop", kind: "http", limits: { concurrency: 2 } }],
    tools: [...document.tools, tool("read", "GET"), tool("once", "GET", { retries: 0 }), tool("order", "POST")],
    groups: [...document.groups, { name: "shopping", selectors: [{ source: "shop" }] }],
    policies: [...document.policies, { name: "shoppers", everyone: true, groups: ["shopping"] }],
  };
  await save(configuration);
  key = await keyOf("reader");
});

afterAll(() => {
  upstream.closeAllConnections();
  upstream.close();
});

let changes: (TrippedBreaker["state"] | "closed")[] = [];
let own: Resilience;

beforeEach(() => {
  changes = [];
  statuses = [];
  reached = 0;
  hold = null;
  // The pauses between retries are of no length.
  own = resilience(
    (_source, tripped) => changes.push(tripped?.state ?? "closed"),
    () => 0,
  );
});

afterEach(() => vi.useRealTimers());

function call(operation: string): Promise<Got<CallOutput>> {
  return new Client(key, () => ({ ...production(), resilience: own })).call({
    tool_id: `shop:${operation}`,
    arguments: {},
  });
}

describe("a call that failed for a moment", () => {
  it("is retried when its method allows it, twice at most, and reports how often", async () => {
    statuses = [503, 502];
    const answer = await call("read");
    expect(answer.json).toMatchObject({ status: "succeeded", attempts: 3 });
    statuses = [503, 503, 503];
    expect((await call("read")).json).toMatchObject({
      status: "failed",
      attempts: 3,
      error: { code: "upstream_error" },
    });
  });

  it("is not retried when the method or the tool may act twice, or when the answer is final", async () => {
    statuses = [503];
    expect((await call("order")).json).toMatchObject({ status: "failed", attempts: 1 });
    statuses = [503];
    expect((await call("once")).json).toMatchObject({ status: "failed", attempts: 1 });
    statuses = [404];
    expect((await call("read")).json).toMatchObject({ status: "failed", attempts: 1 });
    expect(reached).toBe(3);
  });

  it("is retried for at most a tenth of the calls once the saved budget is spent", async () => {
    statuses = Array.from({ length: 1000 }, () => 429);
    for (let calls = 0; calls < 40; calls += 1) await call("read");
    // Ten were saved up; the 39 calls after the first earned three more.
    expect(reached).toBe(40 + 10 + 3);
  });
});

describe("a source that fails five times in a row", () => {
  const break_ = async () => {
    statuses = [500, 500, 500, 500, 500];
    for (let calls = 0; calls < 5; calls += 1) await call("once");
  };

  it("gets no calls for 30 s, then one probe, whose success closes the breaker", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await break_();
    const refused = await call("read");
    expect(refused.status).toBe(503);
    expect(refused.headers.get("retry-after")).toBe("30");
    expect(refused.json).toMatchObject({
      status: "failed",
      attempts: 0,
      error: { code: "circuit_open", retryable: true },
    });
    expect(reached).toBe(5);
    vi.setSystemTime(Date.now() + 29_999);
    expect((await call("read")).json.error?.code).toBe("circuit_open");
    vi.setSystemTime(Date.now() + 1);
    expect((await call("read")).json.status).toBe("succeeded");
    expect(changes).toEqual(["open", "half_open", "closed"]);
  });

  it("opens again when the probe fails", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    await break_();
    vi.setSystemTime(Date.now() + 30_000);
    statuses = [500];
    expect((await call("once")).json.error?.code).toBe("upstream_error");
    expect((await call("once")).json.error?.code).toBe("circuit_open");
  });

  it("does not count 4xx answers and successes, and a success resets the count", async () => {
    statuses = [500, 500, 500, 500, 200, 500, 500, 500, 500, 404, 404, 500];
    for (let calls = 0; calls < 12; calls += 1) await call("once");
    expect(reached).toBe(12);
    expect(changes).toEqual([]);
  });

  it("does not slow calls of another source", async () => {
    await break_();
    const client = new Client(key, () => ({ ...production(), resilience: own }));
    expect((await client.call({ tool_id: "builtin:calculate", arguments: { expression: "1" } })).status).toBe(200);
  });
});

describe("one caller whose calls time out", () => {
  const source = { name: "shop", limits: { concurrency: null, rate: null, perDay: null } };
  const signal = new AbortController().signal;
  const slow = { success: false, error: { code: "upstream_timeout", message: "late" }, upstreamMs: 1, attempts: 1 };
  const well = { success: true, upstreamMs: 1, attempts: 1 };
  const run = (caller: string, result: object) =>
    own.run({ source, repeatable: false, retries: 0, signal, caller, attempt: async () => result as never });
  const codeOf = async (made: ReturnType<typeof run>) => (await made).error?.code ?? "succeeded";

  it("opens its own circuit and no other caller's, however often it fails", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    let served = 0;
    for (let round = 0; round < 100; round += 1) {
      for (let calls = 0; calls < 10; calls += 1) await run("attacker", slow);
      if ((await codeOf(run("bystander", well))) === "succeeded") served += 1;
      vi.setSystemTime(Date.now() + 5_000);
    }
    expect(served).toBe(100);
    expect(await codeOf(run("attacker", slow))).toBe("circuit_open");
  });

  it("is not shown as the source's failure while other callers succeed, and is when none does", async () => {
    await run("bystander", well);
    for (let calls = 0; calls < 6; calls += 1) await run("attacker", slow);
    expect(changes).toEqual([]);
    own.reset("shop");
    changes = [];
    for (let calls = 0; calls < 5; calls += 1) await run("bystander", slow);
    expect(changes).toEqual(["open"]);
    await run("third", well);
    expect(changes.at(-1)).toBe("closed");
  });

  it("opens the source's breaker together with another caller's, and does not keep it open alone", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (let calls = 0; calls < 3; calls += 1) await run("attacker", slow);
    for (let calls = 0; calls < 2; calls += 1) await run("second", slow);
    expect(await codeOf(run("bystander", well))).toBe("circuit_open");
    vi.setSystemTime(Date.now() + 30_000);
    expect(await codeOf(run("attacker", slow))).toBe("upstream_timeout");
    vi.setSystemTime(Date.now() + 30_000);
    expect(await codeOf(run("attacker", slow))).toBe("circuit_open");
    expect(await codeOf(run("bystander", well))).toBe("succeeded");
    expect(await codeOf(run("attacker", well))).toBe("succeeded");
  });
});

describe("a call that its caller cancels", () => {
  const source = { name: "shop", limits: { concurrency: null, rate: null, perDay: null } };
  const ended = (result: object) => ({ upstreamMs: 1, attempts: 1, ...result });
  const failed = (code: string) => ended({ success: false, error: { code, message: "late" } });
  const codeOf = async (caller: string, result: object) => {
    const signal = new AbortController().signal;
    const sent = { source, repeatable: false, retries: 0, signal, caller, attempt: async () => result as never };
    return (await own.run(sent)).error?.code ?? "succeeded";
  };

  it("is neither a success nor a failure of its source, and no probe", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    for (const caller of ["a", "a", "b", "b"]) await codeOf(caller, failed("upstream_timeout"));
    expect(await codeOf("c", failed("cancelled"))).toBe("cancelled");
    expect(await codeOf("a", failed("upstream_timeout"))).toBe("upstream_timeout");
    expect(await codeOf("d", ended({ success: true }))).toBe("circuit_open");
    vi.setSystemTime(Date.now() + 30_000);
    expect(await codeOf("c", failed("cancelled"))).toBe("cancelled");
    expect(await codeOf("d", ended({ success: true }))).toBe("circuit_open");
    vi.setSystemTime(Date.now() + 30_000);
    expect(await codeOf("d", ended({ success: true }))).toBe("succeeded");
  });
});

describe("a source that takes two calls at once", () => {
  it("gets two; the third waits for its place", async () => {
    let letGo = () => {};
    hold = new Promise<void>((resolve) => (letGo = resolve));
    const calls = [call("once"), call("once"), call("once")];
    await vi.waitFor(() => expect(reached).toBe(2));
    letGo();
    const answers = await Promise.all(calls);
    expect(answers.map(({ json }) => json.status)).toEqual(["succeeded", "succeeded", "succeeded"]);
    expect(reached).toBe(3);
  });
});

it("a reset breaker stays closed, whatever an earlier call brings, and reports that last", async () => {
  const source = { name: "shop", limits: { concurrency: null, rate: null, perDay: null } };
  const failing = { success: false, status: 500, error: { code: "upstream_error", message: "500" } } as const;
  const attempt = async () => ({ ...failing, upstreamMs: 1, attempts: 1 });
  const run = (made: typeof attempt) =>
    own.run({ source, repeatable: false, retries: null, signal: new AbortController().signal, attempt: made });
  for (let calls = 0; calls < 4; calls += 1) await run(attempt);
  let fail = () => {};
  const held = new Promise<void>((resolve) => (fail = resolve));
  const late = run(async () => (await held, attempt()));
  own.reset("shop");
  fail();
  await late;
  expect(changes).toEqual(["closed"]);
  expect((await run(async () => ({ success: true, upstreamMs: 1, attempts: 1 }) as never)).success).toBe(true);
});

describe("the breaker of a source", () => {
  const params = { name: "shop" };
  const read = () => ask(readBreaker, "GET", "/api/admin/sources/shop/breaker", { params, role: "auditor" });
  /** In the format of the list of sources. */
  const tripped = async () => {
    const { json } = await ask(readHealth, "GET", "/api/admin/source-health", { role: "auditor" });
    return sourceHealthList.parse(json).breakers;
  };

  it("is closed while all calls succeed, and unknown for an unknown source", async () => {
    expect((await read()).json).toEqual({ state: "closed", instances: [] });
    expect((await ask(readBreaker, "GET", "/", { params: { name: "nowhere" } })).status).toBe(404);
  });

  it("shows the state of all running processes; an editor's reset closes it in each of them and is recorded", async () => {
    const shared = production();
    const through = () => new Client(key, () => shared).call({ tool_id: "shop:once", arguments: {} });
    statuses = [500, 500, 500, 500, 500];
    for (let calls = 0; calls < 5; calls += 1) await through();
    const instance = await liveInstance();
    await vi.waitFor(async () =>
      expect((await read()).json).toMatchObject({
        state: "open",
        instances: [{ instance, state: "open", reason: "The upstream answered with status 500." }],
      }),
    );
    expect((await through()).json.error?.code).toBe("circuit_open");
    expect(await tripped()).toEqual([{ source: "shop", state: "open" }]);
    const reset = await ask(resetBreaker, "POST", "/api/admin/sources/shop/breaker/reset", { params, role: "editor" });
    expect(reset.json).toEqual({ state: "closed", instances: [] });
    expect(await tripped()).toEqual([]);
    await vi.waitFor(async () => expect((await through()).json.status).toBe("succeeded"));
    const events = await database.query("select role, target from audit_event where action = 'sources.breaker_reset'");
    expect(events).toEqual([{ role: "editor", target: "shop" }]);
  });

  it("is deleted with its source: a new source of the name begins closed, and a late notice adds none", async () => {
    const shared = production();
    statuses = [500, 500, 500, 500, 500];
    const through = () => new Client(key, () => shared).call({ tool_id: "shop:once", arguments: {} });
    for (let calls = 0; calls < 5; calls += 1) await through();
    await vi.waitFor(async () => expect((await read()).json.state).toBe("open"));
    await save(supportDocument());
    expect(await database.query("select source from source_breaker")).toEqual([]);
    await noteBreaker("shop", await liveInstance(), { state: "open", since: new Date(), reason: "late" });
    expect(await database.query("select source from source_breaker")).toEqual([]);
    await save(configuration);
    await vi.waitFor(async () => expect((await through()).json.status).toBe("succeeded"));
  });

  it("is stored later when the store fails at its change", async () => {
    const shared = production();
    const through = () => new Client(key, () => shared).call({ tool_id: "shop:once", arguments: {} });
    // Counts the tries in a sequence, which the failed transaction does not take back.
    await database.query("create sequence breaker_tries");
    await database.query(`create function fail_breaker() returns trigger language plpgsql as
      $$ begin perform nextval('breaker_tries'); raise exception 'away'; end $$`);
    await database.query("create trigger fail before insert on source_breaker execute function fail_breaker()");
    statuses = [500, 500, 500, 500, 500];
    for (let calls = 0; calls < 5; calls += 1) await through();
    expect((await through()).json.error?.code).toBe("circuit_open");
    const tried = () => database.query("select is_called as tried from breaker_tries");
    await vi.waitFor(async () => expect(await tried()).toEqual([{ tried: true }]));
    await database.query("drop trigger fail on source_breaker");
    await vi.waitFor(async () => expect((await read()).json.state).toBe("open"), { timeout: 10_000 });
    await ask(resetBreaker, "POST", "/api/admin/sources/shop/breaker/reset", { params, role: "editor" });
    await vi.waitFor(async () => expect((await through()).json.status).toBe("succeeded"));
  });

  it("of a process that died is not shown", async () => {
    await noteBreaker("shop", "nobody", { state: "open", since: new Date(), reason: "gone" });
    expect((await read()).json).toEqual({ state: "closed", instances: [] });
    expect(await tripped()).toEqual([]);
  });
});
