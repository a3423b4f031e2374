import { ReadableStream } from "node:stream/web";
import {
  isJSONRPCRequest,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { env } from "@/lib/env";
import { readListPageInThread } from "@/lib/calls/mcp/list-page";
import { OUTBOUND_LIMITS } from "@/lib/outbound/fetch";
import type { OutboundStream, StreamedAnswer, StreamedRequest } from "@/lib/outbound/stream";
import type { Credentials, CredentialStore, CredentialRequest } from "@/lib/calls/credentials/credentials";
import { requireScopes } from "@/lib/calls/linked-accounts/step-up";
import { checkedEvents, checkedText, deliverMessages, isEventStream, type Delivered } from "@/lib/calls/mcp/delivered";
import { withPair } from "@/lib/calls/credentials/with-pair";

/** The settings of a connection over HTTP. */
interface HttpAccess extends CredentialRequest {
  readonly send: OutboundStream;
  readonly credentials: CredentialStore;
  /** Receives the texts that must be masked in the upstream's messages. */
  readonly hidden: HiddenTexts;
}

/** Milliseconds for which a text is masked after its last use: longer than any call runs. */
const HIDDEN_MS = 2 * OUTBOUND_LIMITS.longestMs;
/** The most masked texts. Each is searched in every answer: more would hold the serving thread. */
const MAX_HIDDEN = 200;

/**
 * Texts that are masked in an upstream's messages: those of recent requests. A busy connection lives long and renews its
 * token often.
 */
export class HiddenTexts extends Set<string> {
  readonly #usedAt = new Map<string, number>();

  /** Adds the texts of a request, and drops the oldest. `now` in milliseconds. */
  use(texts: readonly string[], now: number): void {
    for (const text of texts) {
      // A set keeps the order of additions: the text moves to the end.
      this.delete(text);
      this.add(text);
      this.#usedAt.set(text, now);
    }
    for (const text of this) {
      if (this.size <= MAX_HIDDEN && now - (this.#usedAt.get(text) ?? 0) <= HIDDEN_MS) return;
      this.delete(text);
      this.#usedAt.delete(text);
    }
  }
}

/** The bounds of the wait before a broken stream is resumed, in milliseconds, whatever a server asks for. */
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

/** The error code that replaces an answer that broke off, from the range for implementations. */
export const BROKEN_OFF = -32_099;

/**
 * Streamable HTTP through lib/outbound, with the credentials of the source on every request (docs/reference/execution.md,
 * Auth to the upstream). Redirects are not followed. A request whose answer breaks off is answered with `BROKEN_OFF`:
 * the client would wait for it until its deadline.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(access: HttpAccess) {
    const onMessage = (message: JSONRPCMessage) => this.onmessage?.(message);
    super(new URL(access.url), {
      fetch: (address, init) => sendRequest(toRequest(String(address), init ?? {}), access, onMessage),
      requestInit: { redirect: "manual" },
      reconnectionScheduler: (reconnect, delay) => {
        const pause = Math.min(Math.max(delay, SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
        const timer = setTimeout(reconnect, pause).unref();
        return () => clearTimeout(timer);
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options?.onRequestStreamEnd !== undefined)
      return super.send(message, options as SendOptions);
    const { id } = message;
    // After the answer nothing reads this stream.
    const onRequestStreamEnd = () =>
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: BROKEN_OFF, message: "The answer broke off." } });
    return super.send(message, { ...options, onRequestStreamEnd } as SendOptions);
  }
}

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** Sends a request of the library. Passes the messages of its answer to `onMessage`. */
async function sendRequest(
  request: StreamedRequest,
  access: HttpAccess,
  onMessage: (message: JSONRPCMessage) => void,
): Promise<Response> {
  const asked = deliveredRequest(request);
  // The call has its tool's deadline, and many servers send headers only with the result.
  const patient = asked?.method === CALL ? { ...request, headersMs: OUTBOUND_LIMITS.longestMs } : request;
  const answer = await sendAuthenticated(patient, access);
  const read =
    asked?.method === LIST ? (text: string) => readListPageInThread(text, env.MCP_TOOLS_PER_SOURCE) : undefined;
  const delivered =
    answer.status === 200 && asked !== null ? await deliverMessages(answer, { id: asked.id, onMessage }, read) : null;
  if (delivered === null) return toResponse(answer, request);
  // The library sees a request whose answer came on another stream, or a stream that ended before it.
  if (delivered.isAnswered) return new Response(null, { status: 202 });
  return new Response(toResumeEvent(delivered), { headers: { "content-type": "text/event-stream" } });
}

const LIST = "tools/list";
const CALL = "tools/call";

/** A request whose answer may be large, and of which the library needs only the messages; `null` for others. */
function deliveredRequest({ body, totalMs }: StreamedRequest): Pick<JSONRPCRequest, "id" | "method"> | null {
  if (body === null || totalMs === null) return null;
  // One message of our own client.
  const { id, method } = JSON.parse(body) as Partial<JSONRPCRequest>;
  return id !== undefined && (method === CALL || method === LIST) ? { id, method } : null;
}

/** An event without data that has the last id: the library resumes from it. */
function toResumeEvent({ lastEventId, retryMs }: Delivered): string {
  const retry = retryMs === null ? "" : `retry: ${retryMs}\n`;
  return lastEventId === null ? "" : `${retry}id: ${lastEventId}\ndata:\n\n`;
}

/** Sends a request with the source's credentials. @throws AppError also when a linked account lacks scopes for it */
async function sendAuthenticated(request: StreamedRequest, access: HttpAccess): Promise<StreamedAnswer> {
  const answer = await sendWithToken(request, access);
  try {
    await requireScopes(answer, access);
  } catch (error) {
    answer.discard();
    throw error;
  }
  return answer;
}

/** Requests a new token once when the upstream refuses the first. */
async function sendWithToken(request: StreamedRequest, access: HttpAccess): Promise<StreamedAnswer> {
  const given = await access.credentials.of(access);
  const answer = await access.send(withCredentials(request, given, access.hidden));
  if (answer.status !== 401 || given.token === null) return answer;
  answer.discard();
  const renewed = await access.credentials.of(access, given.token);
  return access.send(withCredentials(request, renewed, access.hidden));
}

function toRequest(url: string, { method = "GET", headers: given, body: sent, signal }: RequestInit): StreamedRequest {
  const headers = Object.fromEntries(new Headers(given));
  const body = typeof sent === "string" ? sent : null;
  // The streams of changes (2025-11-25: GET; 2026-07-28: this method) last as long as the connection.
  const listens = method === "GET" || headers["mcp-method"] === "subscriptions/listen";
  return { url, method, headers, body, signal: signal ?? null, totalMs: listens ? null : OUTBOUND_LIMITS.longestMs };
}

function withCredentials(
  request: StreamedRequest,
  { headers: own, query, hidden: texts }: Credentials,
  hidden: HiddenTexts,
): StreamedRequest {
  hidden.use(texts, performance.now());
  const named = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = { ...request.headers, ...Object.fromEntries(named) };
  return { ...request, url: query === null ? request.url : withPair(request.url, query), headers };
}

/** The statuses that have no body (RFC 9110, 15). */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** The answer for the library to read: bounded, because its reader works without a pause. */
async function toResponse(answer: StreamedAnswer, { method }: StreamedRequest): Promise<Response> {
  const { status, headers, discard } = answer;
  if (BODILESS.has(status)) {
    discard();
    return new Response(null, { status, headers });
  }
  // A resumed stream may bring the result of a call.
  const most = method === "GET" ? OUTBOUND_LIMITS.largestBodyBytes : OUTBOUND_LIMITS.bodyBytes;
  const isStream = status < 300 && (method === "GET" || (status !== 202 && isEventStream(headers)));
  const body = isStream ? ReadableStream.from(checkedEvents(answer, most)) : await checkedText(answer, most);
  return new Response(body as BodyInit, { status, headers });
}
