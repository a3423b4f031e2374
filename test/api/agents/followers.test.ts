import { randomUUID } from "node:crypto";
import { Client as Connection } from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { callToolWith } from "@/lib/agents/rest/call";
import { followCall, readCall } from "@/lib/agents/rest/calls";
import { createEventForwarder, oneAtATime } from "@/lib/agents/streams/follow";
import { agent } from "@/lib/auth/agents/agent";
import { agentInput } from "@/lib/resources/agent";
import { agents } from "@/lib/store/config/agents";
import { apiKeys } from "@/lib/store/config/api-keys";
import { getExecution } from "@/lib/store/log/executions";
import { liveInstance, reapInterrupted } from "@/lib/store/log/executions-reaper";
import { revokeToken } from "@/lib/store/keys/revocations";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { ADMIN, Client, keyOf, save, supportDocument, eventsOf } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { claimCall, runQueued } from "@/test/support/jobs/run-queued";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
/** Milliseconds within which followers of a call must get its events, with reserve for a busy machine. */
const DELIVERED_MS = 2_000 + 1_500;
let corp: TestIssuer;

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  const { issuer, jwksUri } = corp;
  await save(supportDocument({ issuers: [{ name: "corp", issuer, audience: "quartermaster", jwksUri }] }));
});
afterAll(() => corp.close());

/** The tool of the test waits until it is let go. */
function gate() {
  let open = () => {};
  let began = () => {};
  const running = new Promise<void>((resolve) => (began = resolve));
  const end = new Promise<void>((resolve) => (open = resolve));
  const { runners } = production();
  const builtin: typeof runners.builtin = async (input) => {
    began();
    await end;
    return runners.builtin(input);
  };
  const deps = (): Dependencies => ({ ...production(), runners: { ...runners, builtin } });
  return { deps, running, open: () => open() };
}

function at(credential: string, path: string, body?: object): Request {
  return new Request(`http://127.0.0.1:3000/api/agents/${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const toFollow = (credential: string, id: string) =>
  followCall(at(credential, `calls/${id}/events`), { params: Promise.resolve({ id }) });
const toWait = (credential: string, id: string, seconds: number) =>
  readCall(at(credential, `calls/${id}?wait=${seconds}`), { params: Promise.resolve({ id }) });

async function accepted(credential: string): Promise<string> {
  const answer = await new Client(credential).call({ ...CALL, mode: "async" });
  expect(answer.status).toBe(202);
  return answer.json.call_id;
}

/** A caller of each kind, and how its credential ends. */
const ENDS: Readonly<
  Record<string, () => Promise<{ credential: string; end: () => Promise<unknown>; words: string }>>
> = {
  "an API key that is revoked": async () => {
    const name = `key-${randomUUID().slice(0, 8)}`;
    const credential = await keyOf("reader", name);
    const end = () => apiKeys.replace(ADMIN, name, { name, agent: "reader", expiresAt: null, enabled: false }, "*");
    return { credential, end, words: "The API key is revoked." };
  },
  "an API key that expires": async () => {
    const name = `key-${randomUUID().slice(0, 8)}`;
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { key } = await apiKeys.create(ADMIN, { name, agent: "reader", expiresAt, enabled: true });
    return { credential: key, end: async () => {}, words: "The API key has expired." };
  },
  "a key of an agent that is disabled": async () => {
    const input = agentInput.parse({ name: `agent-${randomUUID().slice(0, 8)}`, attributes: { team: "support" } });
    await agents.create(ADMIN, input);
    const credential = await keyOf(input.name);
    const end = () => agents.replace(ADMIN, input.name, { ...input, enabled: false }, "*");
    return { credential, end, words: "The agent is disabled." };
  },
  "a token that is revoked": async () => {
    const jti = randomUUID();
    const credential = await corp.token({ team: "support", jti });
    const end = () => revokeToken(ADMIN, "corp", { jti, until: null, reason: "" });
    return { credential, end, words: "The token has been revoked." };
  },
  "a token that expires": async () => {
    const credential = await corp.token({ team: "support", exp: Math.ceil(Date.now() / 1000) + 1 });
    return { credential, end: async () => {}, words: "The token has expired." };
  },
};

describe.each(Object.entries(ENDS))("%s", (_name, make) => {
  it("ends all streams of its caller and states the reason", async () => {
    const { credential, end, words } = await make();
    const id = await accepted(credential);
    const tool = gate();
    const streams = [
      eventsOf(await toFollow(credential, id)),
      eventsOf(await callToolWith(tool.deps)(at(credential, "tools/call", { ...CALL, stream: true }))),
    ];
    const polled = toWait(credential, id, 30);
    await tool.running;
    await end();
    const since = performance.now();
    for (const events of await Promise.all(streams))
      expect(events).toEqual([{ event: "closed", data: { code: "unauthenticated", message: words } }]);
    const refused = await polled;
    expect(performance.now() - since).toBeLessThan(DELIVERED_MS);
    expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([401, words]);
    tool.open();
  });
});

describe("a follower", () => {
  let key: string;
  beforeAll(async () => {
    key = await keyOf("reader");
  });

  /** What the process asks the store about stored calls while `work` runs. */
  async function looksDuring(work: () => Promise<unknown>): Promise<number> {
    const asked = vi.spyOn(Connection.prototype, "query");
    try {
      await work();
      const texts = asked.mock.calls.map(([first]) =>
        typeof first === "string" ? first : (first as { text?: string }).text,
      );
      return texts.filter((text) => /^select\b.*"kept_call"/is.test(text ?? "")).length;
    } finally {
      asked.mockRestore();
    }
  }

  it("costs one read at the end of a call, however many followers it has", async () => {
    const id = await accepted(key);
    const followers: Response[] = [];
    // One after the other: a hundred at once would wait for the store's connections.
    while (followers.length < 100) followers.push(await toFollow(key, id));
    const tool = gate();
    const run = runQueued(id, tool.deps());
    await tool.running;
    const looks = await looksDuring(async () => {
      tool.open();
      const received = await Promise.all(followers.map(eventsOf));
      await run;
      for (const events of received)
        expect(events.at(-1)).toMatchObject({ event: "result", data: { status: "succeeded" } });
    });
    expect(looks).toBeGreaterThan(0);
    // On a slow machine the shared poll reads some times more; a read for each follower would be a hundred.
    expect(looks).toBeLessThanOrEqual(20);
  });

  it("gets the end of a call whose process died as soon as it is written", async () => {
    const id = await accepted(key);
    const events = eventsOf(await toFollow(key, id));
    await liveInstance();
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
    expect(await claimCall(id, "dead")).not.toBeNull();
    await reapInterrupted(new Date());
    expect((await events).at(-1)).toMatchObject({ event: "result", data: { error: { code: "interrupted" } } });
  });

  it("a client that left a streamed call can read its end by id; the call continued", async () => {
    const tool = gate();
    const streamed = await callToolWith(tool.deps)(at(key, "tools/call", { ...CALL, stream: true }));
    await tool.running;
    const [row] = await database.query<{ callId: string }>(`select "callId" from execution order by at desc limit 1`);
    const id = row!.callId;
    await streamed.body?.cancel();
    const events = eventsOf(await toFollow(key, id));
    const polled = toWait(key, id, 30);
    tool.open();
    expect((await events).at(-1)).toMatchObject({ event: "result", data: { call_id: id, status: "succeeded" } });
    expect(await (await polled).json()).toMatchObject({ call_id: id, output: { value: 42 } });
    expect((await getExecution(id, { bodies: false }))?.status).toBe("succeeded");
  });

  it("gets the result although a read of the store was not answered in time", async () => {
    const id = await accepted(key);
    const tool = gate();
    const run = runQueued(id, tool.deps());
    await tool.running;
    const events = eventsOf(await toFollow(key, id));
    const holder = new Connection({ connectionString: database.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    await holder.query("begin; lock table kept_call in access exclusive mode");
    await database.query("select pg_notify('call_ended', $1)", [id]);
    const reads = (count: number) => async () =>
      expect(
        await database.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
           and query ilike 'select%kept_call%'`,
        ),
      ).toHaveLength(count);
    await vi.waitFor(reads(1), { timeout: 5_000, interval: 20 });
    await vi.waitFor(reads(0), { timeout: 5_000, interval: 20 });
    await holder.query("commit");
    tool.open();
    await run;
    expect((await events).at(-1)).toMatchObject({ event: "result", data: { status: "succeeded" } });
  });

  it("is disconnected when its credential can no longer be checked", async () => {
    const id = await accepted(key);
    const events = eventsOf(await toFollow(key, id));
    await database.query(`alter table config_state rename to config_state_gone`);
    onTestFinished(async () => void (await database.query(`alter table config_state_gone rename to config_state`)));
    expect(await events).toMatchObject([{ event: "closed", data: { code: "config_unavailable" } }]);
  }, 40_000);

  it("gets later events although the labels of the first could not be raised", async () => {
    const lookUp = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
    const { call_id: callId } = (await new Client(key).call(lookUp)).json;
    const sent: unknown[] = [];
    const forwarder = createEventForwarder(callId, await agent()(at(key, "tools")), ({ data }) => sent.push(data));
    const forward = (data: string) => {
      forwarder.forward({ callId, event: "chunk", data });
      return forwarder.drained();
    };
    await database.query("alter table held_label rename to held_label_away");
    await forward("first");
    await database.query("alter table held_label_away rename to held_label");
    await forward("second");
    expect(sent).toEqual(["second"]);
  });

  it("of another caller gets a 404", async () => {
    const id = await accepted(key);
    const other = await keyOf("refunder");
    expect((await toFollow(other, id)).status).toBe(404);
    expect((await toWait(other, id, 30)).status).toBe(404);
  });
});

it("no request for a check is lost, also directly after the last look at the requests", async () => {
  for (let delay = 0; delay < 20; delay += 1) {
    let runs = 0;
    let end = () => {};
    const work = async () => {
      runs += 1;
      await new Promise<void>((resolve) => (end = resolve));
    };
    const check = oneAtATime(work, () => {});
    check();
    end();
    for (let tick = 0; tick < delay; tick += 1) await Promise.resolve();
    check();
    // Every step of the promises so far is done by then.
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs, `a request ${delay} steps after the end`).toBe(2);
  }
});
