import { isLegacyRequest } from "@modelcontextprotocol/server";
import { isObject } from "@/lib/access/model/json";
import { metadataPointer } from "@/lib/agents/mcp/metadata";
import { requireOwnAddress } from "@/lib/agents/mcp/own-address";
import { parametersOf } from "@/lib/agents/mcp/parameters";
import { answerPlainCallStateless } from "@/lib/agents/mcp/plain-call";
import { answerPlainList } from "@/lib/agents/mcp/plain-list";
import { transportError } from "@/lib/agents/mcp/protocol-error";
import { answerInSession, answerPlainInSession } from "@/lib/agents/mcp/sessions";
import { answerStateless } from "@/lib/agents/mcp/stateless";
import { requireNoConflict } from "@/lib/agents/rest/session-conflicts";
import { agent, onRefused, type Caller } from "@/lib/auth/agents/agent";
import { AppError } from "@/lib/errors";
import { readAnyJson, requireStorable } from "@/lib/http/body";
import { route } from "@/lib/http/route";
import { stage } from "@/lib/process/turn";
import { production, type Dependencies } from "@/lib/calls/pipeline/dependencies";

/** `/mcp` with injected effects of the pipeline: both versions of the protocol on one URL (docs/reference/http.md). */
export function mcpWith(deps: () => Dependencies) {
  const authenticate = agent();
  return route({
    authenticate: Object.assign(
      (request: Request) => {
        requireOwnAddress(request);
        return withChallenge(request, authenticate);
      },
      { onRefused },
    ),
    respond: async ({ caller, request, requestId }) => {
      const { session_id: sessionId = null, listing, ...stated } = parametersOf(request);
      requireNoConflict(stated, sessionId ?? undefined);
      const body = await bodyOf(caller, request);
      if (body instanceof Response) return body;
      const refusal = batchProblem(request, body);
      if (refusal !== null) return transportError(400, -32_600, `Invalid Request: ${refusal}`);
      const { url, headers } = request;
      const reauthenticate = () => authenticate(new Request(url, { headers }));
      const mcpRequest = { caller, reauthenticate, requestId, stated, sessionId, listing, http: request, body, deps };
      // The most frequent requests are answered without the MCP library, which is slow.
      const plain =
        (await answerPlainList(mcpRequest)) ??
        answerPlainCallStateless(mcpRequest) ??
        (await answerPlainInSession(mcpRequest));
      if (plain !== null) return plain;
      return (await isLegacyRequest(request, body)) ? answerInSession(mcpRequest) : answerStateless(mcpRequest);
    },
  });
}

/** `/mcp`. */
export const mcp = mcpWith(production);

/** The only protocol version with batches, and the one of a request that names no version. */
const BATCH_VERSION = "2025-03-26";
/** Most messages of a batch. */
const MAX_MESSAGES = 16;

/** Why a batch is refused; `null` = it is accepted, or the body is no batch. */
function batchProblem({ headers }: Request, body: unknown): string | null {
  if (!Array.isArray(body)) return null;
  if ((headers.get("mcp-protocol-version") ?? BATCH_VERSION) !== BATCH_VERSION)
    return `batches exist in ${BATCH_VERSION} only: send one message at a time.`;
  if (body.length === 0) return "a batch without a message.";
  return body.length > MAX_MESSAGES ? `a batch holds at most ${MAX_MESSAGES} messages.` : null;
}

/** Adds the location of the protected-resource metadata to a refused credential (RFC 9728, 5.1). */
async function withChallenge(request: Request, authenticate: (request: Request) => Promise<Caller>): Promise<Caller> {
  try {
    return await authenticate(request);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    const challenge = `${error.headers["www-authenticate"] ?? "Bearer"}${await metadataPointer()}`;
    throw new AppError(error.code, error.message, {
      cause: error.cause,
      headers: { ...error.headers, "www-authenticate": challenge },
    });
  }
}

/**
 * The JSON-RPC messages of a POST. Invalid JSON gets a JSON-RPC error (JSON-RPC 2.0, 5.1). The pipeline checks a call's
 * arguments itself, so that the model gets a result it can read.
 */
async function bodyOf(caller: Caller, request: Request): Promise<unknown> {
  if (request.method !== "POST") return undefined;
  try {
    const body = await readAnyJson(request, "exact");
    await stage(() => requireStorable((Array.isArray(body) ? body : [body]).map(withoutArguments)));
    return body ?? transportError(400, -32_700, "Parse error: the body is empty.");
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "invalid_request") throw error;
    onRefused(caller, error, request);
    const [problem] = error.errors;
    return transportError(400, -32_700, `Parse error: ${problem?.message ?? error.message}`);
  }
}

/** Spreads only objects: spreading a text would make a property of every character. */
function withoutArguments(message: unknown): unknown {
  if (!isObject(message) || message["method"] !== "tools/call" || !isObject(message["params"])) return message;
  return { ...message, params: { ...message["params"], arguments: null } };
}
