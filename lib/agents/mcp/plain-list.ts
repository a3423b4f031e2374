import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  SERVER_INFO_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
  type RequestId,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Parts } from "@/lib/access/model/parts";
import { encodeList, listText, type ListText } from "@/lib/agents/rest/list-text";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { Reply } from "@/lib/http/reply";
import type { OutputRoot } from "@/lib/manifest/mcp";
import { listFor, LIST_HINTS, SERVER_INFO } from "@/lib/agents/mcp/server";

/** The protocol version without sessions. */
export const STATELESS_VERSION = "2026-07-28";
/** The id of a JSON-RPC message. */
export const messageId = z.union([z.string(), z.int()]);
const message = { jsonrpc: z.literal("2.0"), id: messageId, method: z.literal("tools/list") };

/**
 * The `_meta` of every request of 2026-07-28. Any capabilities are accepted, because this server sends no requests. Other
 * members, such as a trace context, are allowed.
 */
export const plainMeta = z.looseObject({
  [PROTOCOL_VERSION_META_KEY]: z.literal(STATELESS_VERSION),
  [CLIENT_INFO_META_KEY]: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({}),
});

/** A plain `tools/list` of 2026-07-28. Other members of `_meta`, such as a progress token, have no effect. */
const stateless = z.strictObject({
  ...message,
  params: z.strictObject({ _meta: plainMeta }),
});

/** A plain `tools/list` up to 2025-11-25. */
const inSession = z.strictObject({
  ...message,
  params: z.strictObject({ _meta: z.looseObject({}).optional() }).optional(),
});

/**
 * Answers a plain `tools/list` of 2026-07-28 without the MCP library, whose parsing takes several times as long as the
 * decision. It is the most frequent request, and its text is cached (docs/reference/decision.md#cost). Returns `null` for
 * any other request and after a failure; then the library answers.
 */
export async function answerPlainList(request: McpRequest): Promise<Reply | null> {
  const { headers } = request.http;
  if (headers.get("mcp-protocol-version") !== STATELESS_VERSION || headers.get("mcp-method") !== "tools/list")
    return null;
  const parsed = stateless.safeParse(request.body);
  if (!parsed.success || headers.has("mcp-name")) return null;
  const otherFields = { resultType: "complete", ...LIST_HINTS, _meta: { [SERVER_INFO_META_KEY]: SERVER_INFO } };
  return answerList(request, parsed.data.id, "any", otherFields);
}

/** The id of a plain `tools/list` in a session; `null` for any other message. */
export function plainListInSession(request: McpRequest): RequestId | null {
  if (!isPlainInSession(request, "tools/list")) return null;
  const parsed = inSession.safeParse(request.body);
  return parsed.success ? parsed.data.id : null;
}

/** Answers a plain `tools/list` in a session; `null` after a failure. */
export function answerPlainListInSession(request: McpRequest, requestId: RequestId): Promise<Reply | null> {
  return answerList(request, requestId, "object", {});
}

/** Whether a request in a session has this method and the usual headers. The MCP library answers other requests. */
export function isPlainInSession({ http: { headers }, body }: McpRequest, method: string): boolean {
  if (typeof body !== "object" || body === null || !("method" in body) || body.method !== method) return false;
  const version = headers.get("mcp-protocol-version");
  return acceptsJsonAndStream(headers) && (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}

/** Whether the client accepts both one JSON body and a stream, as the protocol requires. */
export function acceptsJsonAndStream(headers: Headers): boolean {
  const accept = headers.get("accept") ?? "";
  return accept.includes("application/json") && accept.includes("text/event-stream");
}

const END = Buffer.from("}");

async function answerList(
  request: McpRequest,
  requestId: RequestId,
  outputRoot: OutputRoot,
  otherFields: object,
): Promise<Reply | null> {
  try {
    const { resolution, texts } = await listFor(request, outputRoot);
    const make = () => resultInParts(texts(), otherFields);
    const begin = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(requestId)},"result":`);
    const result = await listText(resolution, `mcp ${outputRoot} ${request.listing}`, make);
    const text = Buffer.concat([begin, result, END]);
    return new Reply(text, 200, { "content-type": "application/json" });
  } catch {
    return null;
  }
}

/** The JSON of a result: the list, and the other fields. */
function* resultInParts(texts: Parts<string[]>, otherFields: object): Parts<ListText> {
  const rest = JSON.stringify(otherFields).slice(1);
  return yield* encodeList('{"tools":', yield* texts, `${rest === "}" ? "" : ","}${rest}`);
}
