import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApi } from "@/lib/contracts/openapi/document";
import type { Operation } from "@/lib/contracts/operations/operation";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import { closeDatabase } from "@/lib/store/db/database";
import { closeSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, type Session } from "@/test/api/agents-world";
import { expectDecent } from "@/test/hardening/decent";
import { FINGERPRINT } from "@/test/hardening/fingerprint";
import { CURRENT, requestsTo } from "@/test/hardening/generated-request";
import type { Generated } from "@/test/hardening/mutations";
import type { Known } from "@/test/hardening/schema-values";
import { knownTo, restore } from "@/test/hardening/world";
import type { Got } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { DescribedApi } from "@/test/support/described-api";
import { signIn } from "@/test/support/person";

const database = useDatabase();

/** The number of requests, and the first seed: `npm run fuzz:api [-- REQUESTS [SEED]]`. */
const REQUESTS = Number(process.env["FUZZ_REQUESTS"] ?? 2_000);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_261_122);
/** Four in ten go to the agent plane, which strangers reach. */
const AGENT = OPERATIONS.filter(({ who }) => who === "agent").map((operation) => [operation.id, operation] as const);
const OTHERS = OPERATIONS.filter(({ who }) => who !== "agent").map((operation) => [operation.id, operation] as const);
const RUNS = {
  agent: Math.ceil((REQUESTS * 0.4) / (AGENT.length + 1)),
  others: Math.ceil((REQUESTS * 0.6) / OTHERS.length),
};
const TIMEOUT = 20_000 + REQUESTS * 20;

const api = new DescribedApi(openApi);
const tally = { sent: 0, answered: 0 };
let known: Known;
let granted: Record<string, string>;
let stranger: Record<string, string>;
let admin: Record<string, string>;
/** The fingerprint of the world as it was made. */
let made: string;

beforeAll(async () => {
  await restore(database);
  const key = await keyOf("refunder");
  granted = { authorization: `Bearer ${key}` };
  stranger = { authorization: `Bearer ${await keyOf("stranger")}` };
  admin = await signIn("admin");
  const agent = new Client(key);
  const call = await agent.call({ tool_id: "support:get_order", arguments: { order_id: "O-5001" } });
  const session = await agent.open<Session>({ group: ["*"] });
  known = knownTo([call.json.call_id], [session.json.session_id]);
  // Planning it takes twenty times as long as running it.
  await database.query(`prepare fingerprint as ${FINGERPRINT}`);
  made = await fingerprint();
});
afterAll(async () => {
  closeSnapshot();
  await closeDatabase();
});

/** Compares the answer with the published document, and with what every answer must be. */
async function send(id: string, caller: Record<string, string>, generated: Generated): Promise<Got> {
  const { query, mutation: _, ...sent } = generated;
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
  const got = await api.ask(id, caller, {
    ...sent,
    ...(search !== "" && { query: `?${search}` }),
    ...(id === "stream_agent_tools" && { until: "event: tool_list" }),
  });
  tally.sent += 1;
  if (got.status < 400) tally.answered += 1;
  expectDecent(got);
  return got;
}

/** Sends `runs` generated requests to an operation; the report shrinks the first that fails. */
function always(operation: Operation, seed: number, runs: number, holds: (request: Generated) => Promise<void>) {
  return fc.assert(fc.asyncProperty(requestsTo(operation, openApi, known), holds), { seed, numRuns: runs });
}

/** The request, with the present version of its row if it asks for that. */
async function atItsVersion({ path }: Operation, request: Generated): Promise<Generated> {
  if (request.headers?.["If-Match"] !== CURRENT) return request;
  const read = OPERATIONS.find((each) => each.path === path && each.method === "get");
  if (read === undefined) return request;
  const etag = (await api.ask(read.id, admin, { params: request.params })).headers.get("etag");
  return { ...request, headers: { ...request.headers, "If-Match": etag ?? '"0"' } };
}

/** The result of a call, or the last event of its stream; nothing of a request that was refused as such. */
function resultOf({ headers, text, json }: Got): { status?: unknown; callId?: string } {
  const type = headers.get("content-type") ?? "";
  if (type === "application/problem+json" || text === "") return {};
  const streamed = /^event: result\n(?:id: .*\n)?data: (.*)$/m.exec(text)?.[1];
  const { status, call_id: callId } = type.startsWith("text/event-stream")
    ? (JSON.parse(streamed ?? "{}") as Record<string, unknown>)
    : json;
  return { status, ...(typeof callId === "string" && { callId }) };
}

/** Requires that the log has the call. */
async function expectLogged(callId: string | undefined): Promise<void> {
  if (callId === undefined) return;
  const counted = 'select count(*)::int as n from execution where "callId" = $1';
  expect(await database.query(counted, [callId])).toEqual([{ n: 1 }]);
}

async function fingerprint(): Promise<string> {
  const [row] = await database.query<{ text: string }>("execute fingerprint");
  return row?.text ?? "";
}

describe("an agent's request, whatever it holds", () => {
  test.each(AGENT)(
    "to %s is answered as described, and an answered call is in the log",
    async (id, operation) => {
      const before = tally.sent;
      await always(operation, SEED, RUNS.agent, async (request) => {
        const got = await send(id, granted, request);
        await expectLogged(id === "call_tool" ? resultOf(got).callId : undefined);
      });
      expect(tally.sent - before).toBeGreaterThanOrEqual(RUNS.agent);
    },
    TIMEOUT,
  );

  test(
    "never runs a tool for a caller without a grant, and each of its calls is in the log",
    async () => {
      const [, callTool] = AGENT.find(([id]) => id === "call_tool")!;
      await always(callTool, SEED + 1, RUNS.agent, async (request) => {
        const { status, callId } = resultOf(await send("call_tool", stranger, request));
        expect(["denied", "failed", undefined]).toContain(status);
        await expectLogged(callId);
      });
      const ran = `select count(*)::int as n from execution join execution_outcome o using ("callId")
        where subject = 'stranger' and o.status not in ('denied', 'failed')`;
      expect(await database.query(ran)).toEqual([{ n: 0 }]);
    },
    TIMEOUT,
  );
});

describe("any other request, whatever it holds", () => {
  test.each(OTHERS)(
    "to %s is answered as described, and a refused one changed nothing",
    async (id, operation) => {
      const writes = operation.method !== "get";
      /** The fingerprint before the next request; `null` = not yet read. A refused request leaves it unchanged. */
      let before: string | null = null;
      let wrote = false;
      await always(operation, SEED, RUNS.others, async (generated) => {
        const request = await atItsVersion(operation, generated);
        if (writes) before ??= await fingerprint();
        const { status } = await send(id, admin, request);
        const after = writes && status >= 400 ? await fingerprint() : before;
        expect(after).toBe(before);
        if (writes && status < 400) [before, wrote] = [null, true];
      });
      // Previews and dry runs are answered and write nothing. To make the world takes longer than most requests.
      if (wrote && (await fingerprint()) !== made) {
        await restore(database);
        made = await fingerprint();
      }
      expect((await api.ask("read_me", admin)).status).toBe(200);
    },
    TIMEOUT,
  );
});

test("between a fifth and three fifths of all requests succeed", () => {
  expect(tally.sent).toBeGreaterThanOrEqual(REQUESTS);
  const share = tally.answered / tally.sent;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.6);
});
