import {
  isJSONRPCRequest,
  StreamableHTTPClientTransport,
  type FetchLike,
  type JSONRPCMessage,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import { OUTBOUND_LIMITS } from "@/lib/outbound/fetch";
import type { OutboundStream, StreamedRequest } from "@/lib/outbound/stream";
import type { Credentials, CredentialStore, Wanting } from "@/lib/tools/credentials/credentials";
import { withPair } from "@/lib/tools/credentials/with-pair";

/** What a connection over HTTP is made with. */
export interface HttpAccess extends Wanting {
  readonly send: OutboundStream;
  readonly credentials: CredentialStore;
  /** Filled with what must be masked in whatever the upstream says. */
  readonly hidden: Set<string>;
}

/** A stream that broke is asked for again after this long at least, whatever its server says; milliseconds. */
const SHORTEST_PAUSE_MS = 1_000;

/** The codes of the answers that stand in for one that broke off; of the range that is left to implementations. */
export const BROKEN_OFF = -32_099;
/** It broke off because it was larger than we read. */
export const TOO_LARGE = -32_098;

/**
 * Streamable HTTP through the house's own way out, with the credentials of the source on every request (4-execution,
 * Auth to the upstream). Redirects are not followed. A request whose answer breaks off is answered with `BROKEN_OFF`
 * or `TOO_LARGE`: the client would wait for it until its deadline.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  /** Requests by id whose answers were too large. */
  readonly #tooLarge: Set<unknown>;

  constructor(access: HttpAccess) {
    const tooLarge = new Set<unknown>();
    super(new URL(access.url), {
      fetch: authenticated(access, (id) => tooLarge.add(id)),
      requestInit: { redirect: "manual" },
      reconnectionScheduler: (reconnect, delay) => {
        const timer = setTimeout(reconnect, Math.max(delay, SHORTEST_PAUSE_MS)).unref();
        return () => clearTimeout(timer);
      },
    });
    this.#tooLarge = tooLarge;
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options?.onRequestStreamEnd !== undefined)
      return super.send(message, options as SendOptions);
    const { id } = message;
    // After the answer nobody listens to this any more.
    const onRequestStreamEnd = () => {
      const code = this.#tooLarge.delete(id) ? TOO_LARGE : BROKEN_OFF;
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code, message: "The answer broke off." } });
    };
    return super.send(message, { ...options, onRequestStreamEnd } as SendOptions);
  }
}

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** A token that is not taken is got anew, once. */
function authenticated(access: HttpAccess, tooLarge: (id: unknown) => void): FetchLike {
  return async (address, init) => {
    const request = toRequest(String(address), init ?? {}, tooLarge);
    const given = await access.credentials.of(access);
    const answer = await access.send(withCredentials(request, given, access.hidden));
    if (answer.status !== 401 || given.token === null) return answer;
    await answer.body?.cancel();
    const renewed = await access.credentials.of(access, given.token);
    return access.send(withCredentials(request, renewed, access.hidden));
  };
}

function toRequest(
  url: string,
  { method = "GET", headers: given, body: sent, signal }: RequestInit,
  tooLarge: (id: unknown) => void,
): StreamedRequest {
  const headers = new Headers(given);
  const body = typeof sent === "string" ? sent : null;
  // The streams of changes (2025-11-25: GET; 2026-07-28: this method) last as long as the connection.
  const listens = method === "GET" || headers.get("mcp-method") === "subscriptions/listen";
  return {
    url,
    method,
    headers,
    body,
    signal: signal ?? null,
    totalMs: listens ? null : OUTBOUND_LIMITS.longestMs,
    // The message is our own client's: one request, with its id.
    ...(body !== null && { onTooLarge: () => tooLarge((JSON.parse(body) as { id?: unknown }).id) }),
  };
}

function withCredentials(
  request: StreamedRequest,
  { headers: own, query, hidden: texts }: Credentials,
  hidden: Set<string>,
): StreamedRequest {
  for (const text of texts) hidden.add(text);
  const headers = new Headers(request.headers);
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return { ...request, url: query === null ? request.url : withPair(request.url, query), headers };
}
