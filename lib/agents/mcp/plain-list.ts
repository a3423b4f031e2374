import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type RequestId,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { listText } from "@/lib/agents/rest/list-text";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { Reply } from "@/lib/http/reply";
import type { OutputRoot } from "@/lib/manifest/mcp";
import { listFor, LIST_HINTS, SERVER_INFO } from "@/lib/agents/mcp/server";

/** The era without sessions. */
export const VERSION = "2026-07-28";
/** Of a JSON-RPC message. */
export const id = z.union([z.string(), z.int()]);
const message = { jsonrpc: z.literal("2.0"), id, method: z.literal("tools/list") };

/** What a client of 2026-07-28 says of itself with each request: whatever it is capable of, we ask it for nothing. */
export const plainMeta = z.strictObject({
  [PROTOCOL_VERSION_META_KEY]: z.literal(VERSION),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}),
});

/** `tools/list` as clients of the era send it, with nothing besides. */
const stateless = z.strictObject({
  ...message,
  params: z.strictObject({ _meta: plainMeta }),
});

/** The same up to 2025-11-25. */
const inSession = z.strictObject({ ...message, params: z.strictObject({}).optional() });

/**
 * The answer to a plain `tools/list` of 2026-07-28, without the library: agents ask for nothing else as often, and the
 * library takes several times as long to take the request apart as we take to decide. The text of the list is kept
 * (docs/reference/decision.md#cost). `null` for whatever is not plain and for whatever fails: that is the library's, in its own words.
 */
export async function answerPlainList(request: McpRequest): Promise<Reply | null> {
  const { headers } = request.http;
  if (headers.get("mcp-protocol-version") !== VERSION || headers.get("mcp-method") !== "tools/list") return null;
  const asked = stateless.safeParse(request.body);
  if (!asked.success || headers.has("mcp-name")) return null;
  const besides = { resultType: "complete", ...LIST_HINTS, _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } };
  return answer(request, asked.data.id, "any", besides);
}

/** The id of a plain `tools/list` of a session; `null` for all else. */
export function plainListInSession(request: McpRequest): RequestId | null {
  if (!isPlainInSession(request, "tools/list")) return null;
  const asked = inSession.safeParse(request.body);
  return asked.success ? asked.data.id : null;
}

/** The answer to it, in a session that is its caller's; `null` when it fails. */
export function answerPlainListInSession(request: McpRequest, asked: RequestId): Promise<Reply | null> {
  return answer(request, asked, "object", {});
}

/** Whether a session's request is of this method, with headers as clients send them; the library says what is wrong with others. */
export function isPlainInSession({ http: { headers }, body }: McpRequest, method: string): boolean {
  if (typeof body !== "object" || body === null || !("method" in body) || body.method !== method) return false;
  const version = headers.get("mcp-protocol-version");
  return takesBoth(headers) && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/** Whether the client takes one JSON body and a stream alike, as it has to. */
export function takesBoth(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "";
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

const END = Buffer.from("}");

async function answer(
  request: McpRequest,
  asked: RequestId,
  outputRoot: OutputRoot,
  besides: object,
): Promise<Reply | null> {
  try {
    const { resolution, tools } = await listFor(request, outputRoot);
    const make = () => JSON.stringify({ tools: tools(), ...besides });
    const begin = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(asked)},"result":`);
    const result = listText(resolution, `mcp ${outputRoot} ${request.listing}`, make);
    const text = Buffer.concat([begin, result, END]);
    return new Reply(text, 200, { "content-type": "application/json" });
  } catch {
    return null;
  }
}
