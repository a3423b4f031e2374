import { beforeAll, describe, expect, it } from "vitest";
import { closeUnfinished } from "@/lib/store/log/executions-reaper";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
let key: string;

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
});

/** A caller of a process whose store is lost at one step. */
function callerWith(lost: Partial<Dependencies>): Client {
  return new Client(key, () => ({ ...production(), ...lost }));
}

const outcomes = () =>
  database.query<{ status: string | null; code: string | null }>(
    `select o.status, o.code from execution e left join execution_outcome o using ("callId") order by e.at`,
  );

describe("a process whose store has come back", () => {
  it("closes a call without a stored outcome as interrupted, which is also what its caller received", async () => {
    const writeOutcome = () => Promise.reject(new Error("the store is lost"));
    const { json } = await callerWith({ writeOutcome }).call(CALCULATE);
    expect(json.error?.code).toBe("interrupted");
    expect(await outcomes()).toEqual([{ status: null, code: null }]);
    expect(await closeUnfinished(new Date())).toBe(1);
    expect(await outcomes()).toEqual([{ status: "failed", code: "interrupted" }]);
  });

  it("a call that did not run, because the answer to its intent was lost", async () => {
    const writeIntent: Dependencies["writeIntent"] = async (intent, preconditions) => {
      await production().writeIntent(intent, preconditions);
      throw new Error("the answer is lost");
    };
    const { status } = await callerWith({ writeIntent }).call(CALCULATE);
    expect(status).toBe(503);
    expect((await outcomes()).at(-1)).toEqual({ status: null, code: null });
    expect(await closeUnfinished(new Date())).toBe(1);
    expect((await outcomes()).at(-1)).toEqual({ status: "failed", code: "interrupted" });
  });

  it("leaves a call whose outcome was written but not confirmed, with a session and without", async () => {
    for (const withSession of [false, true]) {
      let lost = true;
      const writeOutcome: Dependencies["writeOutcome"] = async (...given) => {
        const state = await production().writeOutcome(...given);
        if (lost) throw ((lost = false), new Error("the answer is lost"));
        return state;
      };
      const client = callerWith({ writeOutcome });
      const session = withSession ? { session_id: (await client.open({ group: ["helpers"] })).json.session_id } : {};
      const { json } = await client.call({ ...CALCULATE, ...session });
      expect(json).toMatchObject({ status: "succeeded", output: { value: 42 } });
      expect((await outcomes()).at(-1)).toEqual({ status: "succeeded", code: null });
    }
  });

  it("frees an idempotency key whose claim was not confirmed", async () => {
    const headers = { "idempotency-key": "unheard" };
    const { storedCalls } = production();
    const claimKey: typeof storedCalls.claimKey = async (...given) => {
      await storedCalls.claimKey(...given);
      throw new Error("the answer is lost");
    };
    expect((await callerWith({ storedCalls: { ...storedCalls, claimKey } }).call(CALCULATE, headers)).status).toBe(503);
    await closeUnfinished(new Date());
    expect((await callerWith({}).call(CALCULATE, headers)).status).toBe(200);
  });

  it("changes nothing else: ended calls stay as they ended", async () => {
    await callerWith({}).call(CALCULATE);
    const before = await outcomes();
    expect(await closeUnfinished(new Date())).toBe(0);
    expect(await outcomes()).toEqual(before);
  });
});
