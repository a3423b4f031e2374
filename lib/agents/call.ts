import { requireNoConflict } from "@/lib/agents/session-conflicts";
import { agent } from "@/lib/auth/agents/agent";
import { AppError, ERRORS, type FieldProblem } from "@/lib/errors";
import { route } from "@/lib/http/route";
import { callInput, type CallInput } from "@/lib/resources/agent-api";
import type { Answer } from "@/lib/tools/answer";
import { execute, newCallId } from "@/lib/tools/execute";
import { production, type Dependencies } from "@/lib/tools/dependencies";

/** POST /api/agents/tools/call with the pipeline's effects as an argument (3-http, Agent API). */
export function callToolWith(deps: () => Dependencies) {
  const authenticate = agent();
  return route({
    authenticate,
    body: callInput,
    respond: async ({ caller, body, request, requestId }) => {
      requireSupported(body, request);
      requireNoConflict(body, body.session_id);
      // Only the credential is read again, so the body may be spent.
      const { url, headers } = request;
      const answer = await execute(
        {
          callId: newCallId(),
          requestId,
          door: "rest",
          caller,
          reauthenticate: () => authenticate(new Request(url, { headers })),
          toolId: body.tool_id ?? null,
          name: body.name ?? null,
          arguments: body.arguments,
          sessionId: body.session_id ?? null,
          stated: body,
          at: Date.now(),
        },
        deps(),
      );
      return toResponse(answer);
    },
  });
}

/** POST /api/agents/tools/call. */
export const callTool = callToolWith(production);

function toResponse({ code, output, headers = {} }: Answer): Response {
  const status = code === null ? 200 : ERRORS[code].status;
  return Response.json(output, { status, headers: { ...(status === 503 && { "retry-after": "1" }), ...headers } });
}

/** What the contract names but this version cannot do is refused, never quietly done another way. */
function requireSupported(body: CallInput, request: Request): void {
  const message = "is not available yet: leave it out to call synchronously";
  const errors: FieldProblem[] = [];
  if (body.mode === "async") errors.push({ path: "mode", message });
  if (body.stream || (request.headers.get("accept") ?? "").includes("text/event-stream"))
    errors.push({ path: "stream", message });
  if (body.callback_url !== undefined) errors.push({ path: "callback_url", message });
  // Whoever sends a key relies on it: running the call twice would be the wrong answer.
  if (request.headers.has("idempotency-key")) errors.push({ path: "Idempotency-Key", message });
  if (errors.length > 0)
    throw new AppError("invalid_request", "This version answers calls synchronously only.", { errors });
}
