import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { cancelCall } from "@/lib/agents/rest/calls";
import { ERRORS, publicCode, type ErrorCode } from "@/lib/errors";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { pause, resume } from "@/lib/store/calls/pauses";
import { expireApprovals } from "@/lib/store/calls/approvals";
import { answerApproval } from "@/lib/calls/approvals/approvals";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { idempotencyDigest } from "@/lib/store/calls/stored-calls";
import { production } from "@/lib/calls/pipeline/dependencies";
import { ADMIN, Client, keyOf, save, supportDocument, type Got } from "@/test/api/agents-world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";

// The code table of docs/reference/http.md: each code is provoked once, by a request of an agent or by a fault around
// it.

const database = useDatabase();
let upstream: Server;
let caller: Client;
/** The upstream's behaviour for the next requests. */
let behave: RequestListener = (_request, response) => response.end("{}");

const NOBODY = "127.0.0.1:9";
const SCRIPTS = {
  endless: "export default () => { for (;;); };",
  hungry: "export default () => { const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1)); };",
  broken: "export default () => null.nothing;",
};
const CALL = { tool_id: "builtin:calculate", arguments: { expression: "1 + 1" } };

beforeAll(async () => {
  upstream = createServer((request, response) => behave(request, response));
  await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  allowOutbound(host, NOBODY);
  const tool = (id: string, url = `http://${host}/`, more: object = {}) => ({
    id,
    description: "Asks.",
    inputSchema: { type: "object" },
    run: { kind: "http", method: "POST", url },
    ...more,
  });
  const document = supportDocument() as Record<"sources" | "tools" | "groups" | "policies" | "agents", object[]>;
  await save({
    ...document,
    sources: [
      ...document.sources,
      { name: "shop", kind: "http" },
      { name: "failing", kind: "http" },
      { name: "scripts", kind: "script" },
      { name: "rare", kind: "http" },
      { name: "own", kind: "http", auth: { mode: "user", resource: `http://${host}` } },
    ],
    tools: [
      ...document.tools,
      tool("shop:ask"),
      // A read: only a timeout of an operation without effects is retryable.
      tool("shop:slow", undefined, {
        run: { kind: "http", method: "GET", url: `http://${host}/` },
        limits: { timeoutSeconds: 0.2 },
      }),
      tool("shop:nobody", `http://${NOBODY}/`),
      tool("shop:inside", "http://10.0.0.1/"),
      tool("shop:strict", undefined, { outputSchema: { type: "object", required: ["answer"] } }),
      tool("shop:scoped", undefined, { requiredScopes: ["shop:write"] }),
      tool("shop:often", undefined, { limits: { rate: { points: 1, seconds: 3600 } } }),
      tool("shop:daily", undefined, { limits: { perDay: 1 } }),
      tool("shop:twin", undefined, { name: "twin" }),
      tool("shop:asks", undefined, { requiresApproval: true }),
      ...Object.entries(SCRIPTS).map(([name, code]) => tool(`scripts:${name}`, "", { run: { kind: "script", code } })),
      tool("own:ask"),
      tool("rare:ask"),
      tool("failing:ask"),
      tool("failing:twin", undefined, { name: "twin" }),
    ],
    groups: [
      ...document.groups,
      { name: "shopping", selectors: [{ source: "shop" }] },
      { name: "rest", selectors: [{ source: "failing" }] },
      { name: "scripts", selectors: [{ source: "scripts" }] },
      { name: "own", selectors: [{ source: "own" }] },
      { name: "rare", selectors: [{ source: "rare" }] },
    ],
    policies: [
      ...document.policies,
      { name: "shoppers", everyone: true, groups: ["shopping", "rest", "scripts", "own"] },
      { name: "on-request", effect: "request", maxHours: 4, everyone: true, groups: ["rare"] },
    ],
  });
  caller = new Client(await keyOf("refunder"));
});

afterAll(async () => {
  upstream.closeAllConnections();
  upstream.close();
});

/** Sets the upstream's behaviour until the test is over. */
function upstreamDoes(listener: RequestListener): void {
  behave = listener;
  onTestFinished(() => {
    behave = (_request, response) => response.end("{}");
  });
}

function callTool(tool: string, args: object = {}): Promise<Got<CallOutput>> {
  return caller.call({ tool_id: tool, arguments: args });
}

/** A call that waits for an approval; repeated with its key, it answers the outcome. */
function callForApproval(idempotencyKey: string): Promise<Got<CallOutput>> {
  return caller.call({ tool_id: "shop:asks", arguments: {} }, { "idempotency-key": idempotencyKey });
}

function findStoredCalls(idempotencyKey: string): Promise<{ callId: string }[]> {
  return database.query(`select "callId" from kept_call where "idempotencyKey" = $1`, [
    idempotencyDigest(idempotencyKey),
  ]);
}

/** Renames a table until the test is over, so that statements fail as after a broken migration. */
async function without(table: string): Promise<void> {
  await database.query(`alter table "${table}" rename to "${table}_gone"`);
  onTestFinished(async () => void (await database.query(`alter table "${table}_gone" rename to "${table}"`)));
}

const status =
  (code: number): RequestListener =>
  (_request, response) =>
    response.writeHead(code).end();

type Provoked = Exclude<ErrorCode, AdminCode>;
/** Codes of the admin API alone, or of requests that are no calls; other suites provoke them. */
type AdminCode =
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "conflict"
  | "stale"
  | "awaits_review"
  | "reason_needed"
  | "in_use"
  | "dropped"
  | "precondition_required"
  | "request_timeout"
  | "payload_too_large"
  | "unsupported_media_type"
  | "expectation_failed"
  | "headers_too_large";

/** Provokes each code. A code without an entry does not compile. */
const PROVOKE: Readonly<Record<Provoked, () => Promise<Got<CallOutput>>>> = {
  unauthenticated: () => new Client("qm_nobody").call(CALL),
  invalid_request: () => caller.call({ ...CALL, confidence: 7 }),
  session_not_found: () => caller.call({ ...CALL, session_id: "ses_nothing" }),
  tool_not_available: () => callTool("shop:no_such_tool"),
  access_requestable: () => callTool("rare:ask"),
  ambiguous_name: () => caller.call({ name: "twin", arguments: {} }),
  session_busy: async () => {
    let clock = 0;
    const patience = () => ({ ...production(), elapsed: () => (clock += 20_000) });
    const worker = new Client(await keyOf("worker"), patience);
    const { session_id } = (await worker.open({ group: ["*"] })).json;
    await database.query(
      `update agent_session set holder = 'call_other', "heldBy" = $2, "heldUntil" = now() + interval '1 hour' where id = $1`,
      [session_id, await production().liveInstance()],
    );
    return worker.call({ tool_id: "support:lookup_customer", arguments: { query: "ada" }, session_id });
  },
  invalid_arguments: () => callTool("builtin:calculate", { expression: 7 }),
  arguments_refused: () => callTool("support:refund_order", { order_id: "O-5001", amount: 101 }),
  insufficient_scope: () => callTool("shop:scoped"),
  // An API key has no person who could link an account.
  authorization_needed: () => callTool("own:ask"),
  rate_limited: async () => {
    await callTool("shop:often");
    return callTool("shop:often");
  },
  quota_exceeded: async () => {
    await callTool("shop:daily");
    return callTool("shop:daily");
  },
  idempotency_conflict: async () => {
    await caller.call(CALL, { "idempotency-key": "code-table" });
    return caller.call({ ...CALL, arguments: { expression: "2" } }, { "idempotency-key": "code-table" });
  },
  idempotency_running: async () => {
    let release = () => {};
    const began = new Promise<void>((resolve) =>
      upstreamDoes((_request, response) => {
        release = () => response.end("{}");
        resolve();
      }),
    );
    const first = caller.call({ tool_id: "shop:ask", arguments: {} }, { "idempotency-key": "runs" });
    await began;
    const second = await caller.call({ tool_id: "shop:ask", arguments: {} }, { "idempotency-key": "runs" });
    release();
    await first;
    return second;
  },
  approval_denied: async () => {
    await callForApproval("denied");
    const [row] = await findStoredCalls("denied");
    const decision = { actor: ADMIN, reason: "Not today.", requestId: "test" };
    await answerApproval(row!.callId, "refuse", decision);
    return callForApproval("denied");
  },
  approval_expired: async () => {
    await callForApproval("expired");
    await expireApprovals(new Date(Date.now() + 3_600_000));
    return callForApproval("expired");
  },
  sandbox_timeout: () => callTool("scripts:endless"),
  sandbox_memory: () => callTool("scripts:hungry"),
  sandbox_error: () => callTool("scripts:broken"),
  upstream_auth_failed: () => {
    upstreamDoes(status(401));
    return callTool("shop:ask");
  },
  upstream_timeout: () => {
    upstreamDoes(() => {});
    return callTool("shop:slow");
  },
  upstream_unreachable: () => callTool("shop:nobody"),
  upstream_error: () => {
    upstreamDoes(status(418));
    return callTool("shop:ask");
  },
  tool_failed: () => callTool("builtin:calculate", { expression: "1 / 0" }),
  circuit_open: async () => {
    upstreamDoes(status(500));
    for (let failures = 0; failures < 5; failures += 1) await callTool("failing:ask");
    return callTool("failing:ask");
  },
  address_refused: () => callTool("shop:inside"),
  result_too_large: () => {
    upstreamDoes((_request, response) => response.end("x".repeat(1024 * 1024 + 1)));
    return callTool("shop:ask");
  },
  output_invalid: () => callTool("shop:strict"),
  cancelled: async () => {
    const began = new Promise<void>((resolve) => upstreamDoes(() => resolve()));
    const call = caller.call({ tool_id: "shop:ask", arguments: {} }, { "idempotency-key": "given-up" });
    await began;
    const [row] = await findStoredCalls("given-up");
    const id = row!.callId;
    const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${caller.credential}` },
    });
    await cancelCall(request, { params: Promise.resolve({ id }) });
    return call;
  },
  interrupted: async () => {
    const began = new Promise<void>((resolve) => upstreamDoes(() => resolve()));
    const body = { tool_id: "shop:ask", arguments: {} };
    void caller.call(body, { "idempotency-key": "dies" }).catch(() => {});
    await began;
    await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
    await database.query(`update kept_call set instance = 'dead' where "idempotencyKey" = $1`, [
      idempotencyDigest("dies"),
    ]);
    await reapInterrupted(new Date());
    return caller.call(body, { "idempotency-key": "dies" });
  },
  paused: async () => {
    await pause(ADMIN, { scope: "all", name: null, reason: "An incident." });
    onTestFinished(() => resume(ADMIN, { scope: "all", name: null }));
    return callTool("builtin:calculate", CALL.arguments);
  },
  overloaded: async () => {
    await without("limit_window");
    return callTool("shop:often");
  },
  config_unavailable: () => {
    // Every decision fails like this when the store is lost for longer than its limit.
    const lost = () => ({ ...production(), snapshot: production().snapshot.bind(null, 1_000_000) });
    return new Client(caller.credential, lost).call(CALL);
  },
  log_unavailable: async () => {
    await without("execution_body");
    return caller.call(CALL);
  },
  internal: () => {
    // A bug in Quartermaster. The answer must contain nothing of it.
    const broken = () => ({
      ...production(),
      resolve: () => {
        throw new TypeError("secret detail of the house");
      },
    });
    return new Client(caller.credential, broken).call(CALL);
  },
};

describe("the code table: what an agent is answered", () => {
  it.each(Object.entries(PROVOKE))("%s", async (code, provoke) => {
    const answer = await provoke();
    const { status: expected, retryable } = ERRORS[code as Provoked];
    expect(answer.status).toBe(expected);
    expect(answer.headers.get("x-request-id")).not.toBeNull();
    expect(answer.text).not.toMatch(/secret detail|at .*\.ts:\d/);
    expect(bodyOf(answer)).toEqual({ code: publicCode(code as Provoked), retryable, worded: true, output: false });
    expect(Number(answer.headers.get("retry-after")) > 0).toBe(expected === 429 || expected === 503 || WAITS.has(code));
  });
});

/** Each 409 that states a time to retry. */
const WAITS: ReadonlySet<string> = new Set<Provoked>(["idempotency_running", "session_busy"]);

/** The body of an answer: a tool call result, or the problem document of a request that never became a call. */
function bodyOf({ json, headers }: Got<CallOutput>) {
  if (json.error !== undefined) {
    const { code, retryable, message } = json.error;
    return { code, retryable, worded: message !== "", output: "output" in json };
  }
  const { code, detail } = json as unknown as { code: string; detail: string };
  const isProblem = headers.get("content-type")?.includes("application/problem+json") === true;
  return { code: isProblem ? code : null, retryable: false, worded: detail !== "", output: false };
}
