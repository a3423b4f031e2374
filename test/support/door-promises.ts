import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A way in for agents: the handlers themselves, our server, our server without Next. */
export interface Door {
  /** Sends a request unchanged; `path` includes the query. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  /** API key of an agent that may use `builtin:calculate`. */
  readonly key: string;
}

interface Problem {
  readonly code: string;
  readonly status: number;
  readonly request_id: string;
  readonly errors: readonly { readonly path: string }[];
}

interface Called {
  readonly call_id: string;
  readonly status: string;
  readonly output?: { readonly value: number };
  readonly error?: { readonly code: string };
}

const LIST = "/api/agents/tools";
const CALL = "/api/agents/tools/call";
const CALCULATE = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };

function as(door: Door, headers: Record<string, string> = {}): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${door.key}`, ...headers } };
}

function post(door: Door, path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return door.send(path, {
    method: "POST",
    body: text,
    ...as(door, { "content-type": "application/json", ...headers }),
  });
}

async function isProblem(response: Response, status: number, code: string): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  equal(response.status, status);
  equal(response.headers.get("content-type"), "application/problem+json");
  deepEqual([problem.code, problem.status], [code, status]);
  equal(response.headers.get("x-request-id"), problem.request_id);
  return problem;
}

/** The SDK's client in one of the protocol's eras. */
async function mcpClient(door: Door, mode: "legacy" | { pin: string }): Promise<Client> {
  const client = new Client({ name: "door", version: "1" }, { versionNegotiation: { mode } });
  const send = (address: string | URL, init?: RequestInit) => door.send(new URL(address).pathname, init);
  const requestInit = as(door);
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: send, requestInit }),
  );
  return client;
}

async function isServing(door: Door): Promise<void> {
  equal((await door.send("/api/health")).status, 200);
}

/** The promises of every agent API to its agents, by sentence. Each throws when it does not hold. */
export const DOOR_PROMISES: Readonly<Record<string, (door: Door) => Promise<void>>> = {
  "a list has an etag, belongs to its caller alone, and carries the caller's request id": async (door) => {
    const response = await door.send(LIST, as(door, { "x-request-id": "a-trace-of-mine" }));
    const list = (await response.json()) as { count: number; data: { tool_id: string }[] };
    equal(response.status, 200);
    equal(response.headers.get("x-request-id"), "a-trace-of-mine");
    equal(response.headers.get("cache-control"), "private, no-cache");
    equal(response.headers.get("content-type"), "application/json");
    match(response.headers.get("etag") ?? "", /^"[^"]+"$/);
    equal(list.count, list.data.length);
    ok(list.data.some(({ tool_id: id }) => id === CALCULATE.tool_id));
  },
  "who has the list already is told so, without a body; another format is another list": async (door) => {
    const etag = (await door.send(LIST, as(door))).headers.get("etag") ?? "";
    const again = await door.send(LIST, as(door, { "if-none-match": etag }));
    deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
    const other = await door.send(`${LIST}?format=openai`, as(door, { "if-none-match": etag }));
    equal(other.status, 200);
    notEqual(other.headers.get("etag"), etag);
  },
  "nobody comes in without a credential, with a wrong one, with two, or with one in the address": async (door) => {
    const wrong = `${door.key.slice(0, -8)}00000000`;
    const tries: [string, RequestInit][] = [
      [LIST, {}],
      [LIST, { headers: { authorization: `Bearer ${wrong}` } }],
      [
        LIST,
        {
          headers: [
            ["authorization", `Bearer ${door.key}`],
            ["authorization", `Bearer ${door.key}`],
          ],
        },
      ],
      [`${LIST}?access_token=${door.key}`, {}],
      ["/api/agents/sessions/any", {}],
      ["/api/agents/calls/any/events", {}],
    ];
    for (const [path, init] of tries) {
      const response = await door.send(path, init);
      match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
      await isProblem(response, 401, "unauthenticated");
    }
  },
  "a call is run, and can be read by its caller afterwards": async (door) => {
    const response = await post(door, CALL, CALCULATE);
    const called = (await response.json()) as Called;
    deepEqual([response.status, called.status, called.output], [200, "succeeded", { value: 42 }]);
    const read = await door.send(`/api/agents/calls/${called.call_id}`, as(door));
    deepEqual(((await read.json()) as Called).status, "succeeded");
  },
  "a refused call is a result with its code's status": async (door) => {
    const unknown = await post(door, CALL, { tool_id: "builtin:nothing", arguments: {} });
    equal(unknown.status, 404);
    equal(((await unknown.json()) as Called).error?.code, "tool_not_available");
    const wrong = await post(door, CALL, { ...CALCULATE, arguments: { expression: 7 } });
    equal(wrong.status, 400);
    equal(((await wrong.json()) as Called).error?.code, "invalid_arguments");
  },
  "what cannot be read is a problem that names its place": async (door) => {
    deepEqual(
      (await isProblem(await post(door, CALL, { ...CALCULATE, extra: 1 }), 400, "invalid_request")).errors[0]?.path,
      "extra",
    );
    await isProblem(await post(door, CALL, "{"), 400, "invalid_request");
    await isProblem(await post(door, CALL, CALCULATE, { "content-type": "text/plain" }), 415, "unsupported_media_type");
    await isProblem(await post(door, CALL, CALCULATE, { "content-encoding": "gzip" }), 415, "unsupported_media_type");
    const query = await isProblem(await door.send(`${LIST}?limit=many`, as(door)), 400, "invalid_request");
    equal(query.errors[0]?.path, "limit");
    await isProblem(await door.send("/api/agents/calls/none", as(door)), 404, "not_found");
  },
  "a body of more than 1 MiB is refused, whether or not it says its length, and the door goes on": async (door) => {
    const large = JSON.stringify({ ...CALCULATE, arguments: { expression: "1".repeat(1024 * 1024) } });
    await isProblem(await post(door, CALL, large), 413, "payload_too_large");
    const chunks = new Blob([large]).stream();
    const unsaid = {
      method: "POST",
      body: chunks,
      duplex: "half",
      ...as(door, { "content-type": "application/json" }),
    };
    await isProblem(await door.send(CALL, unsaid as RequestInit), 413, "payload_too_large");
    await isServing(door);
  },
  "a streamed call begins at once and ends with its result; its events can be followed": async (door) => {
    const response = await post(door, CALL, { ...CALCULATE, stream: true });
    equal(response.headers.get("content-type"), "text/event-stream");
    const said = await response.text();
    match(said, /^: open\n\n/);
    const [, result = "{}"] = /event: result\ndata: (.*)\n\n$/.exec(said) ?? [];
    const called = JSON.parse(result) as Called;
    deepEqual(called.output, { value: 42 });
    const events = await door.send(`/api/agents/calls/${called.call_id}/events`, as(door));
    match(await events.text(), /event: result\n/);
  },
  "a stream of the list begins at once, with the list under its etag": async (door) => {
    const list = await door.send(LIST, as(door));
    const response = await door.send("/api/agents/stream", as(door));
    equal(response.headers.get("content-type"), "text/event-stream");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: tool_list") || !text.endsWith("\n\n")) text += (await reader.read()).value ?? "";
    await reader.cancel();
    ok(text.startsWith(": open\n\nevent: connected\n"));
    ok(text.includes(`id: ${list.headers.get("etag")}\ndata: ${await list.text()}\n\n`));
  },

  "the Model Context Protocol, in both its eras, lists the tools of REST and calls them": async (door) => {
    const rest = (await (await door.send(`${LIST}?format=mcp`, as(door))).json()) as { data: unknown[] };
    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const client = await mcpClient(door, mode);
      const { tools } = await client.listTools();
      equal(tools.length, rest.data.length);
      const result = await client.callTool({ name: "calculate", arguments: CALCULATE.arguments });
      deepEqual(result.structuredContent, { value: 42 });
      await client.close();
    }
  },
  "clients find the authorization server, whose endpoints refuse what they do not know": async (door) => {
    const resource = (await (await door.send("/.well-known/oauth-protected-resource/mcp")).json()) as {
      authorization_servers: string[];
    };
    const server = await door.send("/.well-known/oauth-authorization-server/mcp");
    const { issuer, token_endpoint: tokens } = (await server.json()) as { issuer: string; token_endpoint: string };
    deepEqual(resource.authorization_servers, [issuer]);
    equal(tokens, `${issuer}/oauth/token`);
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "nobody", code: "none" });
    const refused = await door.send("/oauth/token", { method: "POST", body });
    deepEqual([refused.status, ((await refused.json()) as { error: string }).error], [401, "invalid_client"]);
  },
  "a session is opened, read, changed, and nobody else's": async (door) => {
    const opened = await post(door, "/api/agents/sessions", { group: [], question: "why?" });
    equal(opened.status, 201);
    const { session_id: id } = (await opened.json()) as { session_id: string };
    const path = `/api/agents/sessions/${id}`;
    equal((await door.send(path, as(door))).status, 200);
    const body = JSON.stringify({ no_progress: true });
    const changed = await door.send(path, {
      method: "PATCH",
      body,
      ...as(door, { "content-type": "application/json" }),
    });
    equal(changed.status, 200);
    await isProblem(await door.send("/api/agents/sessions/other", as(door)), 404, "session_not_found");
  },
  "a call that breaks off ends nothing but itself": async (door) => {
    const caller = new AbortController();
    const half = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"tool_id":'));
        controller.error(new Error("gone"));
      },
    });
    const init = { method: "POST", body: half, duplex: "half", signal: caller.signal, ...as(door) };
    const answer = await door.send(CALL, init as RequestInit).catch(() => null);
    ok(answer === null || answer.status === 400);
    const stream = await post(door, CALL, { ...CALCULATE, stream: true });
    await stream.body?.cancel();
    await isServing(door);
  },
  "a method that a route does not have is refused": async (door) => {
    equal((await door.send(LIST, { method: "DELETE", ...as(door) })).status, 405);
    equal((await door.send(LIST, { method: "HEAD", ...as(door) })).status, 200);
  },
  "the process says that it answers, and that it is ready": async (door) => {
    await isServing(door);
    const ready = await door.send("/api/ready");
    deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, "ready"]);
  },
};
