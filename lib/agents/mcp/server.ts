import {
  Server,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type JsonSchemaValidator,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { Parts } from "@/lib/access/model/parts";
import type { Resolution } from "@/lib/access/decide/resolution";
import { callContextOf } from "@/lib/agents/rest/list";
import { approvalStateCodec } from "@/lib/agents/mcp/approval-state";
import { toProtocolError } from "@/lib/agents/mcp/protocol-error";
import type { McpRequest } from "@/lib/agents/mcp/request";
import { AppError } from "@/lib/errors";
import { entriesInParts, type ManifestEntry } from "@/lib/manifest/entries";
import { mcpTexts, toMcpTools, type OutputRoot } from "@/lib/manifest/mcp";
import { withRequestAccess } from "@/lib/manifest/request-access";
import { searchListing } from "@/lib/manifest/search-listing";
import { runInTurns } from "@/lib/store/db/in-turns";
import { touchSession } from "@/lib/store/calls/sessions";
import { log } from "@/lib/telemetry/log";
import { observeList } from "@/lib/calls/record/observe-rules";
import { expiryOf } from "@/lib/calls/record/record";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** The name that this server reports to clients. */
export const SERVER_INFO = { name: "quartermaster", title: "Quartermaster", version: "1" } as const;

/** Clients must not cache the list: it depends on the principal, and every save may change it. */
export const LIST_HINTS = { cacheScope: "private", ttlMs: 0 } as const;

/** What differs between protocol versions. */
interface VersionOptions {
  /** The kind of output schemas that clients of this version support. */
  readonly outputRoot: OutputRoot;
  readonly onCall: CallHandler;
}

/** Makes a call in one protocol version. */
export type CallHandler = (
  params: CallToolRequest["params"],
  context: ServerContext,
) => Promise<CallToolResult | InputRequiredResult>;

/**
 * Creates the MCP server of one request, with only the tools of its caller (docs/reference/http.md). The server
 * keeps no state: a transport session is a database row, and everything else is in the request.
 *
 * @param instructions for the answer that opens a connection: see `instructionsFor`
 */
export function mcpServer(request: McpRequest, { outputRoot, onCall }: VersionOptions, instructions?: string): Server {
  const { requestId } = request;
  const server = new Server(SERVER_INFO, {
    capabilities: { tools: { listChanged: true } },
    ...(instructions !== undefined && { instructions }),
    cacheHints: { "tools/list": LIST_HINTS },
    requestState: { verify: (state, context) => approvalStateCodec(request.caller.principal).verify(state, context) },
    // The server sends clients no requests, so it validates no answers. The default validator is expensive per server.
    jsonSchemaValidator: { getValidator: rejectEverything },
  });
  server.setRequestHandler("tools/list", async ({ params }) => {
    try {
      if (params?.cursor !== undefined) throw badCursor();
      return { tools: await (await listFor(request, outputRoot)).tools() };
    } catch (error) {
      throw toProtocolError(error, requestId);
    }
  });
  server.setRequestHandler("tools/call", ({ params }, context) => onCall(params, context));
  Object.assign(server, {
    onerror: (error) => log.debug({ requestId, err: error }, "An MCP exchange failed."),
  } satisfies Pick<Server, "onerror">);
  return server;
}

/** Resolves the caller's tools. `tools` makes the list, `texts` the JSON of each tool. @throws AppError */
export async function listFor(
  { caller, stated, sessionId, listing, requestId }: McpRequest,
  outputRoot: OutputRoot,
): Promise<{
  readonly resolution: Resolution;
  readonly tools: () => Promise<Tool[]>;
  readonly texts: () => Parts<string[]>;
}> {
  const now = Date.now();
  const context = await callContextOf(caller, stated, sessionId, { requestId, now });
  const { snapshot, resolution, session } = context;
  if (session !== null) await touchSession(session, expiryOf(snapshot, now), new Date(now));
  observeList(context);
  function* entries(): Parts<readonly ManifestEntry[]> {
    const listed = listing === "search" ? searchEntries(resolution) : yield* entriesOf(context);
    return withRequestAccess(listed, resolution);
  }
  return {
    resolution,
    tools: async () => toMcpTools(await runInTurns(entries()), outputRoot) as Tool[],
    texts: function* () {
      return yield* mcpTexts(yield* entries(), outputRoot);
    },
  };
}

/** The search listing, the same for every caller who has tools. */
function searchEntries({ tools }: Resolution): readonly ManifestEntry[] {
  return tools.length === 0 ? [] : searchListing;
}

function entriesOf({ snapshot, request, resolution, now }: CallContext): Parts<ManifestEntry[]> {
  return entriesInParts({ index: snapshot.index, request, resolution, now });
}

function badCursor(): AppError {
  return new AppError("invalid_request", "The list has one page.", {
    errors: [{ path: "cursor", message: "is not a cursor of this list" }],
  });
}

function rejectEverything<T>(): JsonSchemaValidator<T> {
  return () => ({ valid: false, data: undefined, errorMessage: "No answer is expected." });
}
