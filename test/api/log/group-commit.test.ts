import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { toLoggedClaims } from "@/lib/audit/record/claims";
import { rowsOf } from "@/lib/store/db/database";
import { getExecution } from "@/lib/store/log/executions";
import type { Preconditions, Intent } from "@/lib/store/log/executions-rows";
import { intentSql } from "@/lib/store/log/executions-sql";
import { groupCommit } from "@/lib/store/db/group-commit";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { production } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { statementsOf } from "@/test/support/statements";

const database = useDatabase();
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };

/** A statement that ends when the test says so. */
function held() {
  const flights: { readonly items: readonly number[]; readonly end: PromiseWithResolvers }[] = [];
  const write = (items: readonly number[]) =>
    new Promise<readonly number[]>((resolve, reject) => flights.push({ items, end: { resolve, reject } }));
  return { flights, write };
}

interface PromiseWithResolvers {
  readonly resolve: (results: readonly number[]) => void;
  readonly reject: (error: unknown) => void;
}

const outOfRange = () => Object.assign(new Error("out of range"), { code: "22003" });

afterEach(() => vi.useRealTimers());

describe("statements that are shared", () => {
  it("run one after the other; items that arrive meanwhile are written together, in order", async () => {
    const { flights, write } = held();
    const ask = groupCommit(write, 3);
    const asked = [1, 2, 3, 4, 5].map(ask);
    expect(flights.map(({ items }) => items)).toEqual([[1]]);
    flights[0]!.end.resolve([10]);
    await asked[0];
    await vi.waitFor(() => expect(flights[1]?.items).toEqual([2, 3, 4]));
    const late = ask(6);
    expect(flights).toHaveLength(2);
    flights[1]!.end.resolve([20, 30, 40]);
    await vi.waitFor(() => expect(flights[2]?.items).toEqual([5, 6]));
    flights[2]!.end.resolve([50, 60]);
    expect(await Promise.all([...asked, late])).toEqual([10, 20, 30, 40, 50, 60]);
    void ask(7);
    expect(flights[3]?.items).toEqual([7]);
  });

  it("fail alone for their own data, and together when the store does not answer", async () => {
    const writes: (readonly number[])[] = [];
    const write = async (items: readonly number[]) => {
      writes.push(items);
      await Promise.resolve();
      if (items.includes(3)) throw outOfRange();
      if (items.includes(9)) throw new Error("Connection terminated");
      return items;
    };
    const settled = (items: readonly number[]) =>
      Promise.allSettled(items.map(groupCommit(write, 10))).then((all) => all.map(({ status }) => status));
    expect(await settled([1, 2, 3, 4])).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
    expect(writes).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
    expect(await settled([1, 8, 9])).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(writes.slice(5)).toEqual([[1], [8, 9]]);
  });

  it("fail the waiting items too when the failure took longer than their deadline", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { flights, write } = held();
    const ask = groupCommit(write, 10);
    const asked = Promise.allSettled([1, 2, 3].map(ask));
    vi.advanceTimersByTime(1_800);
    flights[0]!.end.reject(new Error("Query read timeout"));
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(flights).toHaveLength(1);
  });

  it("fail only for their own data, however long that failure took", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const { flights, write } = held();
    const ask = groupCommit(write, 10);
    const asked = Promise.allSettled([1, 2].map(ask));
    vi.advanceTimersByTime(1_800);
    flights[0]!.end.reject(outOfRange());
    await vi.waitFor(() => expect(flights[1]?.items).toEqual([2]));
    flights[1]!.end.resolve([20]);
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });

  it("fail when the statement returns fewer results than items", async () => {
    const ask = groupCommit(async (items: readonly number[]) => items.slice(1), 10);
    await expect(ask(1)).rejects.toThrow("returned 0 results for 1 items");
  });
});

describe("the rows of calls that are made at once", () => {
  let reader: Client;
  let row: Intent;
  let preconditions: Preconditions;
  const { writeIntent, writeOutcome } = production();

  beforeAll(async () => {
    await save(supportDocument());
    const real = production();
    reader = new Client(await keyOf("reader"), () => ({
      ...real,
      writeIntent: (...asked) => (([row, preconditions] = asked), real.writeIntent(...asked)),
    }));
    await reader.call(CALL);
  });

  const another = (changes: Partial<Intent> = {}): Intent => ({ ...row, callId: `call_${randomUUID()}`, ...changes });

  it("share statements, and each call gets its own row", async () => {
    let answers: readonly { readonly json: CallOutput }[] = [];
    const statements = await statementsOf(async () => {
      answers = await Promise.all(
        Array.from({ length: 30 }, (_, n) => reader.call({ ...CALL, arguments: { expression: `${n} + 1` } })),
      );
    });
    expect(statements.filter((sql) => sql.includes("INSERT INTO execution")).length).toBeLessThan(30);
    const rows = await Promise.all(answers.map(({ json }) => getExecution(json.call_id, { bodies: true })));
    expect(rows.map((one) => one?.arguments)).toEqual(
      Array.from({ length: 30 }, (_, n) => ({ expression: `${n} + 1` })),
    );
    expect(rows.map((one) => [one?.status, one?.result])).toEqual(
      Array.from({ length: 30 }, (_, n) => ["succeeded", expect.objectContaining({ value: n + 1 })]),
    );
  });

  it("are written with the revision of their own decision", async () => {
    const bases: readonly Preconditions[] = [
      preconditions,
      { ...preconditions, revision: preconditions.revision - 1 },
      { ...preconditions, key: { id: "another", agent: "reader" } },
      { ...preconditions, session: { id: randomUUID(), version: 1, hold: null } },
      preconditions,
    ];
    const intents = bases.map(() => another());
    const written = await Promise.all(intents.map((intent, index) => writeIntent(intent, bases[index]!)));
    expect(written.map((one) => one.written)).toEqual([true, false, false, false, true]);
    expect(written.map((one) => [one.revision, one.keyGood, one.sessionCurrent])).toEqual([
      [preconditions.revision, true, true],
      [preconditions.revision, true, true],
      [preconditions.revision, false, true],
      [preconditions.revision, true, false],
      [preconditions.revision, true, true],
    ]);
    const ids = intents.map(({ callId }) => callId);
    const rows = await database.query(`select 1 from execution where "callId" in ('${ids.join("','")}')`);
    expect(rows).toHaveLength(2);
  });

  it("are not written after the end of the caller's key", async () => {
    const end = "now() - interval '1 second'";
    const [stored] = await database.query<{ end: string }>(`select "expiresAt"::text as end from api_key`);
    await database.query(`update api_key set "expiresAt" = ${end}`);
    onTestFinished(async () => void (await database.query(`update api_key set "expiresAt" = '${stored!.end}'`)));
    expect(await writeIntent(another(), preconditions)).toMatchObject({ written: false, keyGood: false });
  });

  it("are not written when a label has ended that the decision read, and are when the label still holds", async () => {
    const basis = (labels: readonly string[]): Preconditions => ({
      ...preconditions,
      labels: { issuer: "https://idp.example", subject: "ann", sessionId: null, held: labels, raises: [] },
    });
    await database.query(`
      insert into held_label (issuer, subject, session, label, "callId", "toolId", at, until) values
        ('https://idp.example', 'ann', '', 'ended', 'c', 't', now(), now() - interval '1 second'),
        ('https://idp.example', 'ann', '', 'held', 'c', 't', now(), now() + interval '1 hour')`);
    const written = async (labels: readonly string[]) => (await writeIntent(another(), basis(labels))).labelsCurrent;
    expect([await written(["ended", "held"]), await written(["held"]), await written([])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it("are written although one of the batch has data that cannot be written", async () => {
    const twice = another();
    const intents = [another(), another(), twice, another(), twice, another()];
    const settled = await Promise.allSettled(intents.map((intent) => writeIntent(intent, preconditions)));
    expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(1);
    const good = intents.filter((intent) => intent !== twice);
    const rows = await Promise.all(good.map(({ callId }) => getExecution(callId, { bodies: false })));
    expect(rows.every((one) => one?.status === "running")).toBe(true);
  });

  it("of the same new callers, written by two processes at once, do not deadlock", async () => {
    const callers = ["first", "second"].map((name) => toLoggedClaims({ sub: `${name}-${randomUUID()}` }, []));
    const statements = [callers, callers.toReversed()].map((claims) =>
      intentSql(claims.map((of) => ({ intent: another({ claims: of }), preconditions }))),
    );
    // Each statement takes its time between two callers.
    await database.query(`
      create function take_time() returns trigger language plpgsql as 'begin perform pg_sleep(0.2); return new; end';
      create trigger take_time before insert on execution_claims for each row execute function take_time()`);
    onTestFinished(async () => void (await database.query("drop function take_time cascade")));
    const written = await Promise.all(statements.map((statement) => rowsOf<{ written: boolean }>(statement)));
    expect(written.flat().map((one) => one.written)).toEqual([true, true, true, true]);
  });

  it("accept characters that Postgres cannot store", async () => {
    const intent = another({ asked: "half \ud83d, NUL \0, spelt \\u0000 \\ud83d, whole 🙂" });
    expect((await writeIntent(intent, preconditions)).written).toBe(true);
    const [stored] = await database.query<{ asked: string }>(
      `select asked from execution where "callId" = '${intent.callId}'`,
    );
    expect(stored?.asked).toBe("half \ufffd, NUL \ufffd, spelt \\u0000 \\ud83d, whole 🙂");
  });

  it("have exactly one outcome, and none without an intent", async () => {
    const outcome = (intent: Intent) => ({
      callId: intent.callId,
      callAt: intent.at,
      at: new Date(),
      status: "succeeded" as const,
      code: null,
      reason: "granted",
      error: null,
      stateAfter: null,
      attempts: 1,
      gatewayMs: 1,
      upstreamMs: 1,
      empty: false,
      result: null,
    });
    const intent = another();
    await writeIntent(intent, preconditions);
    const outcomes = [intent, intent, another()].map((one) => writeOutcome(outcome(one), null));
    const [one, other, without] = (await Promise.allSettled(outcomes)).map(({ status }) => status);
    // Either of the two may be written first.
    expect([one, other].toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(without).toBe("rejected");
  });
});
