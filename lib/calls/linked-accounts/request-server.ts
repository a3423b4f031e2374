import { allowInsecureRequests, customFetch, type CustomFetchOptions } from "oauth4webapi";
import { parseStrictJson } from "@/lib/auth/agents/strict-json";
import { LinkProblem } from "@/lib/calls/linked-accounts/link-problem";
import { AppError } from "@/lib/errors";
import type { Outbound, OutboundAnswer, OutboundRequest } from "@/lib/outbound/fetch";

/** Limits of one request to an authorization server, in milliseconds and bytes. */
const LIMITS = { totalMs: 5_000, maxBytes: 256 * 1024 } as const;

type ServerRequest = Pick<
  CustomFetchOptions<"GET" | "POST", URLSearchParams | string | null | undefined>,
  "method" | "headers"
> & { readonly body?: URLSearchParams | string | null | undefined };

/**
 * Options of the library's requests: they go through the guarded outbound client. http is allowed here, because
 * `requireEndpoints` refuses it for a resource on https.
 */
export function throughOutbound(send: Outbound) {
  const fetch = (url: string, request: ServerRequest) => requestServer(send, url, request);
  return { [customFetch]: fetch, [allowInsecureRequests]: true };
}

/** Sends a request of the library, or one like it. @throws LinkProblem */
export async function requestServer(send: Outbound, url: string, request: ServerRequest): Promise<Response> {
  const { accept = "application/json", authorization, "content-type": contentType } = request.headers;
  const { status, headers, body } = await sendBounded(send, {
    url,
    method: request.method,
    headers: { accept, ...(contentType !== undefined && { "content-type": contentType }) },
    ...(authorization !== undefined && { credentials: { authorization } }),
    body: request.body?.toString() ?? null,
  });
  if (body.byteLength === 0) return new Response(null, { status, headers });
  return new Response(new Uint8Array(body), { status, headers });
}

/** Sends one request. @throws LinkProblem without an answer, for a status of 500 or more, and for ambiguous JSON */
export async function sendBounded(send: Outbound, request: OutboundRequest): Promise<OutboundAnswer> {
  const { host } = new URL(request.url);
  const answer = await send({ ...LIMITS, ...request }).catch((cause: unknown) => {
    const why = cause instanceof AppError ? cause.message : "It could not be reached.";
    throw new LinkProblem("unreachable", `${host} did not answer: ${why}`, { cause });
  });
  if (answer.status >= 500)
    throw new LinkProblem("unreachable", `${host} answered with status ${answer.status}: try again later.`);
  const [type = ""] = (answer.headers["content-type"] ?? "").split(";");
  // The library parses with `JSON.parse`, which accepts duplicate names. They are refused here.
  if (answer.body.byteLength > 0 && /[/+]json$/i.test(type.trim())) requireStrict(answer.body, host);
  return answer;
}

function requireStrict(body: Uint8Array, host: string): void {
  try {
    parseStrictJson(body);
  } catch (cause) {
    throw new LinkProblem("not_supported", `${host} answered with JSON that is not valid.`, { cause });
  }
}
