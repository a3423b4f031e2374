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

/** The code of the answer that stands in for one that broke off; of the range that is left to implementations. */
export const BROKEN_OFF = -32_099;

/**
 * Streamable HTTP through the house's own way out, with the credentials of the source on every request (4-execution,
 * Auth to the upstream). Redirects are not followed. A request whose answer breaks off is answered with `BROKEN_OFF`:
 * the client would wait for it until its deadline.
 */
export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(access: HttpAccess) {
    super(new URL(access.url), {
      fetch: authenticated(access),
      requestInit: { redirect: "manual" },
      reconnectionScheduler: (reconnect, delay) => {
        const timer = setTimeout(reconnect, Math.max(delay, SHORTEST_PAUSE_MS)).unref();
        return () => clearTimeout(timer);
      },
    });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: TransportSendOptions): Promise<void> {
    if (Array.isArray(message) || !isJSONRPCRequest(message) || options?.onRequestStreamEnd !== undefined)
      return super.send(message, options as SendOptions);
    const { id } = message;
    const error = { code: BROKEN_OFF, message: "The answer broke off." };
    // After the answer nobody listens to this any more.
    const onRequestStreamEnd = () => this.onmessage?.({ jsonrpc: "2.0", id, error });
    return super.send(message, { ...options, onRequestStreamEnd } as SendOptions);
  }
}

type SendOptions = Parameters<StreamableHTTPClientTransport["send"]>[1];

/** A token that is not taken is got anew, once. */
function authenticated(access: HttpAccess): FetchLike {
  return async (address, init) => {
    const request = toRequest(String(address), init ?? {});
    const given = await access.credentials.of(access);
    const answer = await access.send(withCredentials(request, given, access.hidden));
    if (answer.status !== 401 || given.token === null) return answer;
    await answer.body?.cancel();
    const renewed = await access.credentials.of(access, given.token);
    return access.send(withCredentials(request, renewed, access.hidden));
  };
}

function toRequest(url: string, { method = "GET", headers: given, body, signal }: RequestInit): StreamedRequest {
  const headers = new Headers(given);
  // The streams of changes (2025-11-25: GET; 2026-07-28: this method) last as long as the connection.
  const listens = method === "GET" || headers.get("mcp-method") === "subscriptions/listen";
  return {
    url,
    method,
    headers,
    body: typeof body === "string" ? body : null,
    signal: signal ?? null,
    totalMs: listens ? null : OUTBOUND_LIMITS.longestMs,
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
