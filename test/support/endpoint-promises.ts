import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/** A server of the agents' API: the route handlers themselves, or the gateway. */
export interface Endpoint {
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

function as(endpoint: Endpoint, headers: Record<string, string> = {}): { headers: Record<string, string> } {
  return { headers: { authorization: `Bearer ${endpoint.key}`, ...headers } };
}

function post(
  endpoint: Endpoint,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return endpoint.send(path, {
    method: "POST",
    body: text,
    ...as(endpoint, { "content-type": "application/json", ...headers }),
  });
}

async function expectProblem(response: Response, status: number, code: string): Promise<Problem> {
  const problem = (await response.json()) as Problem;
  equal(response.status, status);
  equal(response.headers.get("content-type"), "application/problem+json");
  deepEqual([problem.code, problem.status], [code, status]);
  equal(response.headers.get("x-request-id"), problem.request_id);
  return problem;
}

/** The SDK's client, which negotiates the version of the protocol or begins as its first version did. */
async function mcpClient(endpoint: Endpoint, mode: "legacy" | { pin: string }): Promise<Client> {
  const client = new Client({ name: "endpoint", version: "1" }, { versionNegotiation: { mode } });
  const send = (address: string | URL, init?: RequestInit) => endpoint.send(new URL(address).pathname, init);
  const requestInit = as(endpoint);
  await client.connect(
    new StreamableHTTPClientTransport(new URL("http://127.0.0.1/mcp"), { fetch: send, requestInit }),
  );
  return client;
}

async function expectServing(endpoint: Endpoint): Promise<void> {
  equal((await endpoint.send("/api/health")).status, 200);
}

/** The promises of every agent API to its agents, by sentence. Each throws when it does not hold. */
export const ENDPOINT_PROMISES: Readonly<Record<string, (endpoint: Endpoint) => Promise<void>>> = {
  "a list has an etag, belongs to its caller alone, and carries the caller's request id": async (endpoint) => {
    const response = await endpoint.send(LIST, as(endpoint, { "x-request-id": "a-trace-of-mine" }));
    const list = (await response.json()) as { count: number; data: { tool_id: string }[] };
    equal(response.status, 200);
    equal(response.headers.get("x-request-id"), "a-trace-of-mine");
    equal(response.headers.get("cache-control"), "private, no-cache");
    equal(response.headers.get("content-type"), "application/json");
    match(response.headers.get("etag") ?? "", /^"[^"]+"$/);
    equal(list.count, list.data.length);
    ok(list.data.some(({ tool_id: id }) => id === CALCULATE.tool_id));
  },
  "a caller that already has the list gets 304 without a body; another format is another list": async (endpoint) => {
    const etag = (await endpoint.send(LIST, as(endpoint))).headers.get("etag") ?? "";
    const again = await endpoint.send(LIST, as(endpoint, { "if-none-match": etag }));
    deepEqual([again.status, await again.text(), again.headers.get("etag")], [304, "", etag]);
    const other = await endpoint.send(`${LIST}?format=openai`, as(endpoint, { "if-none-match": etag }));
    equal(other.status, 200);
    notEqual(other.headers.get("etag"), etag);
  },
  "nobody comes in without a credential, with a wrong one, with two, or with one in the address": async (endpoint) => {
    const wrong = `${endpoint.key.slice(0, -8)}00000000`;
    const tries: [string, RequestInit][] = [
      [LIST, {}],
      [LIST, { headers: { authorization: `Bearer ${wrong}` } }],
      [
        LIST,
        {
          headers: [
            ["authorization", `Bearer ${endpoint.key}`],
            ["authorization", `Bearer ${endpoint.key}`],
          ],
        },
      ],
      [`${LIST}?access_token=${endpoint.key}`, {}],
      ["/api/agents/sessions/any", {}],
      ["/api/agents/calls/any/events", {}],
    ];
    for (const [path, init] of tries) {
      const response = await endpoint.send(path, init);
      match(response.headers.get("www-authenticate") ?? "", /^Bearer/);
      await expectProblem(response, 401, "unauthenticated");
    }
  },
  "a call is run, and can be read by its caller afterwards": async (endpoint) => {
    const response = await post(endpoint, CALL, CALCULATE);
    const called = (await response.json()) as Called;
    deepEqual([response.status, called.status, called.output], [200, "succeeded", { value: 42 }]);
    const read = await endpoint.send(`/api/agents/calls/${called.call_id}`, as(endpoint));
    deepEqual(((await read.json()) as Called).status, "succeeded");
  },
  "a refused call is a result with its code's status": async (endpoint) => {
    const unknown = await post(endpoint, CALL, { tool_id: "builtin:nothing", arguments: {} });
    equal(unknown.status, 404);
    equal(((await unknown.json()) as Called).error?.code, "tool_not_available");
    const wrong = await post(endpoint, CALL, { ...CALCULATE, arguments: { expression: 7 } });
    equal(wrong.status, 400);
    equal(((await wrong.json()) as Called).error?.code, "invalid_arguments");
  },
  "what cannot be read is a problem that names its place": async (endpoint) => {
    deepEqual(
      (await expectProblem(await post(endpoint, CALL, { ...CALCULATE, extra: 1 }), 400, "invalid_request")).errors[0]
        ?.path,
      "extra",
    );
    await expectProblem(await post(endpoint, CALL, "{"), 400, "invalid_request");
    await expectProblem(
      await post(endpoint, CALL, CALCULATE, { "content-type": "text/plain" }),
      415,
      "unsupported_media_type",
    );
    await expectProblem(
      await post(endpoint, CALL, CALCULATE, { "content-encoding": "gzip" }),
      415,
      "unsupported_media_type",
    );
    const query = await expectProblem(await endpoint.send(`${LIST}?limit=many`, as(endpoint)), 400, "invalid_request");
    equal(query.errors[0]?.path, "limit");
    await expectProblem(await endpoint.send("/api/agents/calls/none", as(endpoint)), 404, "not_found");
  },
  "a body of more than 1 MiB is refused, whether or not it says its length, and the endpoint goes on": async (
    endpoint,
  ) => {
    const large = JSON.stringify({ ...CALCULATE, arguments: { expression: "1".repeat(1024 * 1024) } });
    await expectProblem(await post(endpoint, CALL, large), 413, "payload_too_large");
    const chunks = new Blob([large]).stream();
    const unsaid = {
      method: "POST",
      body: chunks,
      duplex: "half",
      ...as(endpoint, { "content-type": "application/json" }),
    };
    await expectProblem(await endpoint.send(CALL, unsaid as RequestInit), 413, "payload_too_large");
    await expectServing(endpoint);
  },
  "a streamed call begins at once and ends with its result; its events can be followed": async (endpoint) => {
    const response = await post(endpoint, CALL, { ...CALCULATE, stream: true });
    equal(response.headers.get("content-type"), "text/event-stream");
    const text = await response.text();
    match(text, /^: open\n\n/);
    const [, result = "{}"] = /event: result\ndata: (.*)\n\n$/.exec(text) ?? [];
    const called = JSON.parse(result) as Called;
    deepEqual(called.output, { value: 42 });
    const events = await endpoint.send(`/api/agents/calls/${called.call_id}/events`, as(endpoint));
    match(await events.text(), /event: result\n/);
  },
  "a stream of the list begins at once, with the list under its etag": async (endpoint) => {
    const list = await endpoint.send(LIST, as(endpoint));
    const response = await endpoint.send("/api/agents/stream", as(endpoint));
    equal(response.headers.get("content-type"), "text/event-stream");
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes("event: tool_list") || !text.endsWith("\n\n")) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
    await reader.cancel();
    ok(text.startsWith(": open\n\nevent: connected\n"));
    ok(text.includes(`id: ${list.headers.get("etag")}\ndata: ${await list.text()}\n\n`));
  },

  "the Model Context Protocol, in both ways to begin, lists the tools of REST and calls them": async (endpoint) => {
    const rest = (await (await endpoint.send(`${LIST}?format=mcp`, as(endpoint))).json()) as { data: unknown[] };
    for (const mode of ["legacy", { pin: "2026-07-28" }] as const) {
      const client = await mcpClient(endpoint, mode);
      const { tools } = await client.listTools();
      equal(tools.length, rest.data.length);
      const result = await client.callTool({ name: "calculate", arguments: CALCULATE.arguments });
      deepEqual(result.structuredContent, { value: 42 });
      await client.close();
    }
  },
  "clients find the authorization server, whose endpoints refuse what they do not know": async (endpoint) => {
    const resource = (await (await endpoint.send("/.well-known/oauth-protected-resource/mcp")).json()) as {
      authorization_servers: string[];
    };
    const server = await endpoint.send("/.well-known/oauth-authorization-server/mcp");
    const { issuer, token_endpoint: tokens } = (await server.json()) as { issuer: string; token_endpoint: string };
    deepEqual(resource.authorization_servers, [issuer]);
    equal(tokens, `${issuer}/oauth/token`);
    const body = new URLSearchParams({ grant_type: "authorization_code", client_id: "nobody", code: "none" });
    const refused = await endpoint.send("/oauth/token", { method: "POST", body });
    deepEqual([refused.status, ((await refused.json()) as { error: string }).error], [401, "invalid_client"]);
  },
  "a session is opened, read and changed, and an unknown one is not found": async (endpoint) => {
    const opened = await post(endpoint, "/api/agents/sessions", { group: [], question: "why?" });
    equal(opened.status, 201);
    const { session_id: id } = (await opened.json()) as { session_id: string };
    const path = `/api/agents/sessions/${id}`;
    equal((await endpoint.send(path, as(endpoint))).status, 200);
    const body = JSON.stringify({ no_progress: true });
    const changed = await endpoint.send(path, {
      method: "PATCH",
      body,
      ...as(endpoint, { "content-type": "application/json" }),
    });
    equal(changed.status, 200);
    await expectProblem(await endpoint.send("/api/agents/sessions/other", as(endpoint)), 404, "session_not_found");
  },
  "an aborted request leaves the endpoint running": async (endpoint) => {
    const half = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode('{"tool_id":'));
        controller.error(new Error("gone"));
      },
    });
    const init = { method: "POST", body: half, duplex: "half", ...as(endpoint) };
    const answer = await endpoint.send(CALL, init as RequestInit).catch(() => null);
    ok(answer === null || answer.status === 400);
    const stream = await post(endpoint, CALL, { ...CALCULATE, stream: true });
    await stream.body?.cancel();
    await expectServing(endpoint);
  },
  "a method that a route does not have is refused": async (endpoint) => {
    equal((await endpoint.send(LIST, { method: "DELETE", ...as(endpoint) })).status, 405);
    equal((await endpoint.send(LIST, { method: "HEAD", ...as(endpoint) })).status, 200);
  },
  "the process says that it answers, and that it is ready": async (endpoint) => {
    await expectServing(endpoint);
    const ready = await endpoint.send("/api/ready");
    deepEqual([ready.status, ((await ready.json()) as { status: string }).status], [200, "ready"]);
  },
};
