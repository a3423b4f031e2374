import { createPublicKey, verify } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { POST as REFUSE } from "@/app/api/admin/approvals/[id]/refuse/route";
import { GET as getDelivery } from "@/app/api/admin/deliveries/[id]/route";
import { GET as getDeliveries } from "@/app/api/admin/deliveries/route";
import { GET as getKeys } from "@/app/api/jwks.json/route";
import { cancelCall, readCall } from "@/lib/agents/rest/calls";
import { production as delivering } from "@/lib/events/deliver";
import { callOutput, type CallOutput } from "@/lib/contracts/agents/agent-api";
import { callbackKeySet } from "@/lib/contracts/agents/callback-keys";
import { deliveryDetail } from "@/lib/contracts/agents/delivery";
import { apiKeys } from "@/lib/store/config/api-keys";
import { reapInterrupted } from "@/lib/store/log/executions-reaper";
import { production } from "@/lib/calls/pipeline/dependencies";
import { ADMIN, Client, documentWithTool, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { deliverDue } from "@/test/support/jobs/deliver-due";
import { findInDatabase } from "@/test/support/find-in-database";
import { claimCall, runQueued } from "@/test/support/jobs/run-queued";
import { startReceiver, status, type Received, type Receiver } from "@/test/support/servers/receiver";

const database = useDatabase();
const MINUTE = 60_000;
const TOOL = "builtin:calculate";
/** Listed although no callback gets there. */
const ELSEWHERE = ["http://a.example", "https://127.0.0.1:8443"];
let receiver: Receiver;
let reader: Client;

beforeAll(async () => {
  receiver = await startReceiver();
  allowOutbound(receiver.host);
  await save(withOrigins());
  reader = new Client(await keyOf("reader"));
});
afterAll(async () => {
  await receiver.close();
});
beforeEach(async () => {
  await database.query("truncate delivery, delivery_attempt");
  receiver.received.length = 0;
});

/** The support document in which the reader may be called back at these origins. */
function withOrigins(origins = [new URL(receiver.url).origin, ...ELSEWHERE]): Record<string, unknown> {
  const document = supportDocument();
  const agents = document["agents"] as { name: string }[];
  return {
    ...document,
    agents: agents.map((row) => (row.name === "reader" ? { ...row, callbackOrigins: origins } : row)),
  };
}

function callBody(changes: object = {}): object {
  const body = { tool_id: TOOL, arguments: { expression: "6 * 7" }, mode: "async", callback_url: receiver.url };
  return { ...body, ...changes };
}

async function accepted(body = callBody(), client = reader, headers = {}): Promise<string> {
  const answer = await client.call(body, headers);
  expect([answer.status, answer.json.error]).toEqual([202, undefined]);
  return answer.json.call_id;
}

/** Delivers due callbacks; returns all received so far. */
async function delivered(): Promise<Received[]> {
  await deliverDue({ ...delivering, now: () => Date.now() + MINUTE });
  return receiver.received;
}

/** The caller's view of its call. */
async function read(id: string, handler = readCall): Promise<CallOutput> {
  const headers = { authorization: `Bearer ${reader.credential}` };
  const request = new Request(`http://127.0.0.1:3000/api/agents/calls/${id}`, { headers });
  return (await (await handler(request, { params: Promise.resolve({ id }) })).json()) as CallOutput;
}

async function deliveryOf(call: string) {
  const { json } = await ask(getDeliveries, "GET", `/api/admin/deliveries?call=${call}`, { role: "auditor" });
  const id = String(json.items[0]!["id"]);
  return deliveryDetail.parse((await ask(getDelivery, "GET", "/x", { params: { id }, role: "auditor" })).json);
}

/** Checks a message as its receiver has to: by the published keys, and nothing that only we know. */
async function isSigned({ headers, body }: Received): Promise<boolean> {
  const response = await getKeys(new Request("http://127.0.0.1:3000/api/jwks.json"));
  const { keys } = callbackKeySet.parse(await response.json());
  const content = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
  const [version, signature = ""] = headers["webhook-signature"]!.split(",");
  expect(version).toBe("v1a");
  return keys.some(({ kid: _kid, use: _use, alg: _alg, ...key }) =>
    verify(null, content, createPublicKey({ key, format: "jwk" }), Buffer.from(signature, "base64")),
  );
}

it("the end of a call is posted once, as its caller reads it, signed by a published key, and only after the end", async () => {
  const id = await accepted();
  expect(await delivered()).toEqual([]);
  await runQueued(id, production());
  const [message, ...more] = await delivered();
  expect(more).toEqual([]);
  expect(callOutput.parse(message!.json)).toMatchObject({ call_id: id, status: "succeeded", output: { value: 42 } });
  expect(message!.json).toEqual(await read(id));
  expect(await isSigned(message!)).toBe(true);
  expect(await isSigned({ ...message!, body: message!.body.replace("42", "43") })).toBe(false);
  await delivered();
  expect(receiver.received).toHaveLength(1);
  const { type, webhook, origin, status: is, attempts } = await deliveryOf(id);
  expect([type, webhook, origin, is]).toEqual(["call.ended", null, new URL(receiver.url).origin, "delivered"]);
  expect(attempts).toHaveLength(1);
});

it("a call that fails, is refused by rules or by a person, or is cancelled is posted as well", async () => {
  const failed = await accepted(callBody({ arguments: { expression: "1 / 0" } }));
  await runQueued(failed, production());
  const cancelled = await accepted();
  await read(cancelled, cancelCall);
  const denied = await accepted();
  const document = withOrigins();
  await save({ ...document, policies: (document["policies"] as object[]).slice(1) });
  await runQueued(denied, production());
  await save(document);
  await save({ ...withOrigins(), tools: documentWithTool(TOOL, { requiresApproval: true })["tools"] });
  const refused = await accepted();
  const answer = { body: { reason: "Not today." }, params: { id: refused } };
  expect((await ask(REFUSE, "POST", `/api/admin/approvals/${refused}/refuse`, answer)).status).toBe(200);
  await save(document);
  const ends = new Map((await delivered()).map(({ json }) => [(json as unknown as CallOutput).call_id, json]));
  const codes = [failed, cancelled, denied, refused].map((id) => (ends.get(id) as unknown as CallOutput).error?.code);
  expect(codes[0]).not.toBeUndefined();
  expect(codes.slice(1)).toEqual(["cancelled", "tool_not_available", "approval_denied"]);
  for (const message of receiver.received) expect(await isSigned(message)).toBe(true);
});

it("a call whose process died is posted as interrupted", async () => {
  const id = await accepted();
  await database.query(`update kept_call set repeatable = false where "callId" = $1`, [id]);
  await database.query(`insert into instance (id, "seenAt") values ('dead', now() - interval '1 hour')`);
  await claimCall(id, "dead");
  await reapInterrupted(new Date());
  const [message] = await delivered();
  expect(message!.json).toMatchObject({ call_id: id, status: "failed", error: { code: "interrupted" } });
});

it("a call that is refused at once gets its answer at once, and no callback", async () => {
  const answer = await reader.call(callBody({ tool_id: "nowhere:nothing" }));
  expect(answer.status).toBe(404);
  expect(await database.query("select 1 from delivery")).toEqual([]);
});

it("the same call with the same key is posted once; another address makes it another call", async () => {
  const headers = { "idempotency-key": "callback-1" };
  const id = await accepted(callBody(), reader, headers);
  await runQueued(id, production());
  expect((await reader.call(callBody(), headers)).json).toMatchObject({ call_id: id, status: "succeeded" });
  const other = await reader.call(callBody({ callback_url: `${receiver.url}/other` }), headers);
  expect(other.json.error?.code).toBe("idempotency_conflict");
  expect(await delivered()).toHaveLength(1);
});

it.each([
  ["https://me:secret@a.example/", "use an https address without a user name or password"],
  ["http://a.example/", "use an https address"],
  ["ftp://a.example/", "use an https address without a user name or password"],
])("%s is refused, naming the field", async (callback_url, message) => {
  const answer = await reader.call<{ code: string; errors: unknown }>(callBody({ callback_url }));
  expect(answer).toMatchObject({ status: 400, json: { errors: [{ path: "callback_url", message }] } });
});

it("an agent without a list of origins, and an origin that is not in it, are refused naming the field", async () => {
  const messageFor = async (callback_url: string, client = reader) => {
    const answer = await client.call<{ errors: { path: string; message: string }[] }>(callBody({ callback_url }));
    expect([answer.status, answer.json.errors[0]?.path]).toEqual([400, "callback_url"]);
    return answer.json.errors[0]?.message;
  };
  const refunder = new Client(await keyOf("refunder"));
  expect(await messageFor(receiver.url, refunder)).toMatch(/^no callback is allowed: .*`callbackOrigins`/);
  expect(await messageFor("https://b.example/x")).toMatch(/^https:\/\/b\.example is not in `callbackOrigins`/);
  // Allowed as an upstream, which says nothing of callbacks.
  await save(withOrigins(["https://b.example"]));
  expect(await messageFor(receiver.url)).toContain("is not in `callbackOrigins`");
  expect(receiver.received).toEqual([]);
  await save(withOrigins());
});

it("an origin that was removed from the list meanwhile gets no callback", async () => {
  const id = await accepted();
  await runQueued(id, production());
  await save(withOrigins(["https://b.example"]));
  expect(await delivered()).toEqual([]);
  expect(await deliveryOf(id)).toMatchObject({
    status: "dropped",
    note: "The origin is no longer in `callbackOrigins` of the caller's agent.",
  });
  await save(withOrigins());
});

it("the answer of a tool that became invisible to the caller is withheld from the callback until it is visible again", async () => {
  const id = await accepted();
  await runQueued(id, production());
  const document = withOrigins();
  await save({ ...document, policies: (document["policies"] as object[]).slice(1) });
  const [message] = await delivered();
  expect(message!.json).toMatchObject({ call_id: id, status: "denied", error: { code: "tool_not_available" } });
  expect(message!.json).not.toHaveProperty("output");
  expect(await isSigned(message!)).toBe(true);
  await save(document);
  expect(await read(id)).toMatchObject({ status: "succeeded", output: { value: 42 } });
});

it("a private address is never reached, not even by https", async () => {
  const id = await accepted(callBody({ callback_url: "https://127.0.0.1:8443/" }));
  await runQueued(id, production());
  await delivered();
  expect(await deliveryOf(id)).toMatchObject({
    status: "pending",
    note: expect.stringContaining("not a public address"),
  });
});

it("a caller whose key was deleted, or whose agent was disabled, meanwhile gets no callback", async () => {
  const short = new Client(await keyOf("reader", "short-lived"));
  const first = await accepted(callBody(), short);
  const second = await accepted();
  await runQueued(first, production());
  await runQueued(second, production());
  await apiKeys.remove(ADMIN, "short-lived");
  expect(await delivered()).toHaveLength(1);
  expect(await deliveryOf(first)).toMatchObject({
    status: "dropped",
    note: "The caller's credential is no longer valid.",
  });
  const third = await accepted();
  await runQueued(third, production());
  const document = withOrigins();
  const agents = document["agents"] as { name: string }[];
  await save({ ...document, agents: agents.map((row) => ({ ...row, enabled: row.name !== "reader" })) });
  await delivered();
  expect(await deliveryOf(third)).toMatchObject({ status: "dropped" });
  await save(document);
  expect(receiver.received).toHaveLength(1);
});

it("a failing receiver gets the callback again under the same id; 410 ends the attempts", async () => {
  const id = await accepted();
  await runQueued(id, production());
  receiver.answers.push(status(500), status(410));
  for (const minutes of [1, 2]) await deliverDue({ ...delivering, now: () => Date.now() + minutes * MINUTE });
  expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await deliveryOf(id)).toMatchObject({ status: "failed", attempts: [{ status: 410 }, { status: 500 }] });
});

it("neither the address nor the caller's credential is stored readable", async () => {
  await accepted(callBody({ callback_url: `${receiver.url}?token=271828` }));
  expect(await findInDatabase(database, "271828")).toEqual([]);
  expect(await findInDatabase(database, reader.credential)).toEqual([]);
});
