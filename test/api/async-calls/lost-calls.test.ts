import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startJobs, stopJobs } from "@/lib/jobs/runner";
import { followCall, readCall } from "@/lib/agents/rest/calls";
import { AppError } from "@/lib/errors";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { revocationInput } from "@/lib/contracts/people/revocation";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { cancelStoredCall, readStoredCall, type CancelledOutcome } from "@/lib/store/calls/stored-calls";
import { revokeToken } from "@/lib/store/keys/revocations";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { queuedCalls } from "@/lib/calls/queue/worker";
import { ADMIN, Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { claimCall, runQueued } from "@/test/support/jobs/run-queued";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const LATER = { ...CALL, mode: "async" };
const READER = { issuer: "quartermaster", subject: "reader", agent: "reader", client: null };
/** How a call ends that was given up before it ran. */
const CANCELLED: CancelledOutcome = {
  ended: { code: "cancelled", output: { status: "cancelled", attempts: 0 } },
  answer: "{}",
};
let corp: TestIssuer;
let key: string;
let reader: Client;

const issuers = (enabled: boolean) => [
  { name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri, enabled },
];

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  await save(supportDocument({ issuers: issuers(true) }));
  key = await keyOf("reader");
  reader = new Client(key);
});
afterAll(async () => {
  await stopJobs();
  await corp.close();
});

async function ask(handler: typeof readCall, id: string, query = "", credential = key): Promise<Response> {
  const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}${query}`, {
    headers: { authorization: `Bearer ${credential}` },
  });
  return handler(request, { params: Promise.resolve({ id }) });
}

async function standing(id: string, query = ""): Promise<CallOutput> {
  return (await ask(readCall, id, query)).json() as Promise<CallOutput>;
}

async function accepted(client = reader, headers: Record<string, string> = {}): Promise<string> {
  const answer = await client.call(LATER, headers);
  expect(answer.status).toBe(202);
  return answer.json.call_id;
}

/** How a call ended, in the log: a caller who is not trusted any more cannot ask. */
async function codeOf(callId: string): Promise<string | null | undefined> {
  const [row] = await database.query<{ code: string | null }>(
    `select code from execution_outcome where "callId" = $1`,
    [callId],
  );
  return row?.code;
}

describe("a queued call of a token", () => {
  it("does not run when its issuer was disabled meanwhile", async () => {
    const id = await accepted(new Client(await corp.token({ team: "support" })));
    await save({ apiVersion: "quartermaster/v1", issuers: issuers(false) });
    await runQueued(id, production());
    await save({ apiVersion: "quartermaster/v1", issuers: issuers(true) });
    expect(await codeOf(id)).toBe("unauthenticated");
  });

  it("does not run when the token was revoked meanwhile, even if it has expired since", async () => {
    const jti = randomUUID();
    const id = await accepted(new Client(await corp.token({ team: "support", jti })));
    await revokeToken(ADMIN, "corp", revocationInput.parse({ jti }));
    await runQueued(id, { ...production(), now: () => Date.now() + 3 * 24 * 3_600_000 });
    expect(await codeOf(id)).toBe("unauthenticated");
  });
});

describe("a queued call that was given up", () => {
  it("ends although it could not run", async () => {
    const id = await accepted();
    const snapshot = async () => {
      await cancelStoredCall(id, READER, CANCELLED);
      throw new AppError("config_unavailable", "lost");
    };
    await runQueued(id, { ...production(), snapshot });
    expect(await standing(id)).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
    expect(await codeOf(id)).toBe("cancelled");
  });

  it("while it ran is not queued again when its process dies", async () => {
    const id = await accepted(reader, { "idempotency-key": "given-up" });
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
    expect(await claimCall(id, "dead")).not.toBeNull();
    await cancelStoredCall(id, READER, CANCELLED);
    expect((await readStoredCall(id, READER))?.cancelled).toBe(true);
    await reapInterrupted(new Date());
    expect(await standing(id)).toMatchObject({ error: { code: "interrupted" } });
  });
});

it.each(["config_unavailable", "log_unavailable", "session_busy"] as const)(
  "a queued call whose run ended with %s has ended, and never runs again",
  async (code) => {
    const id = await accepted();
    const run = vi.fn<Dependencies["runners"]["builtin"]>(async () => ({
      success: false,
      error: { code, message: "lost" },
      attempts: 1,
      upstreamMs: 0,
    }));
    const deps = production();
    const running = { ...deps, runners: { ...deps.runners, builtin: run } };
    await runQueued(id, running);
    await runQueued(id, running);
    expect(run).toHaveBeenCalledTimes(1);
    expect(await standing(id)).toMatchObject({ status: "failed", attempts: 1, error: { message: "lost" } });
    expect(await codeOf(id)).toBe(code);
  },
);

it("a queued call whose rows cannot be read for a moment is run later, not lost", async () => {
  const id = await accepted();
  const claim = queuedCalls();
  const run = vi.fn<typeof claim>(claim);
  await database.query("alter table kept_call rename to kept_call_away");
  startJobs([{ name: "queued-calls", everyMs: 100, run }]);
  try {
    await vi.waitFor(() => expect(run.mock.settledResults[0]?.type).toBe("rejected"), { timeout: 10_000 });
  } finally {
    await database.query("alter table kept_call_away rename to kept_call");
  }
  const ended = await standing(id, "?wait=10");
  await stopJobs();
  expect(ended).toMatchObject({ status: "succeeded", output: { value: 42 } });
});

describe("an idempotency key", () => {
  it("of a call that never ran is free again, even after the store was lost while freeing it", async () => {
    const { storedCalls } = production();
    let lost = true;
    const deps = (): Dependencies => ({
      ...production(),
      writeIntent: () => Promise.reject(new Error("lost")),
      storedCalls: {
        ...storedCalls,
        freeKey: async (callId) => {
          if (lost) throw ((lost = false), new Error("lost"));
          await storedCalls.freeKey(callId);
        },
      },
    });
    const headers = { "idempotency-key": "store-lost" };
    expect((await new Client(key, deps).call(CALL, headers)).status).toBe(503);
    await vi.waitFor(async () => expect((await reader.call(CALL, headers)).status).toBe(200), { timeout: 5_000 });
  });

  it("of a process that died before it wrote the intent is free again", async () => {
    const headers = { "idempotency-key": "died-early" };
    const first = await reader.call(CALL, headers);
    // The key's state before another call's intent was written.
    await database.query(
      `update kept_call set "callId" = 'call_never', status = 'running', answer = null, instance = 'early'
       where "callId" = $1`,
      [first.json.call_id],
    );
    await database.query(`insert into instance (id, "seenAt") values ('early', now() - interval '1 hour')`);
    expect((await reader.call(CALL, headers)).status).toBe(409);
    await reapInterrupted(new Date());
    expect((await reader.call(CALL, headers)).status).toBe(200);
  });
});

it("a follower gets the chunks of a queued call in order and before the result", async () => {
  const { runners } = production();
  let tell = () => {};
  let go = () => {};
  const heard = new Promise<void>((resolve) => (go = resolve));
  const builtin: typeof runners.builtin = async (input) => {
    tell = () => input.context.progress(0, "listening?");
    await heard;
    for (let number = 0; number < 200; number += 1) input.context.emit(`chunk ${number}`);
    return runners.builtin(input);
  };
  const id = await accepted();
  const reading = (await ask(followCall, id)).body!.pipeThrough(new TextDecoderStream()).getReader();
  const run = runQueued(id, { ...production(), runners: { ...runners, builtin } });
  const telling = setInterval(() => tell(), 20);
  let text = "";
  const until = async (word: string) => {
    while (!text.includes(word)) {
      const { done, value } = await reading.read();
      if (done) throw new Error(`The stream ended without ${word}.`);
      text += value;
    }
  };
  await until("event: progress");
  clearInterval(telling);
  go();
  await until("event: result");
  await run;
  const numbers = [...text.matchAll(/chunk (\d+)/g)].map(([, number]) => Number(number));
  expect(numbers).toEqual(Array.from({ length: 200 }, (_, number) => number));
});
