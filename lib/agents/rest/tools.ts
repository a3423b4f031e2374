import { agentRoute } from "@/lib/agents/rest/agent-route";
import { callContextOf } from "@/lib/agents/rest/list";
import { requireNoConflict } from "@/lib/agents/rest/session-conflicts";
import { requireCompatible, toolList } from "@/lib/agents/rest/tool-list";
import { isUnchanged } from "@/lib/http/if-none-match";
import { Reply } from "@/lib/http/reply";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { touchSession } from "@/lib/store/calls/sessions";
import { observeList } from "@/lib/calls/record/observe-rules";
import { expiryOf } from "@/lib/calls/record/record";

/** GET /api/agents/tools: the caller's list (docs/reference/http.md#agent-api). */
export const listTools = agentRoute(
  AGENT_OPERATIONS.list_agent_tools,
  async ({ caller, query, request, requestId }) => {
    requireNoConflict(query, query.session_id);
    requireCompatible(query);
    const now = Date.now();
    const context = await callContextOf(caller, query, query.session_id ?? null, {
      requestId,
      minRevision: query.min_revision,
      skipCache: query.skip_cache,
      now,
    });
    const { snapshot, session } = context;
    if (session !== null) await touchSession(session, expiryOf(snapshot, now), new Date(now));
    observeList(context);
    const { etag, warnings, text } = await toolList(context, query);
    const reply = isUnchanged(request, etag)
      ? new Reply(null, 304)
      : new Reply(await text(), 200, { "content-type": "application/json" });
    reply.headers.set("etag", etag).set("cache-control", "private, no-cache").set("vary", "authorization");
    for (const [name, value] of Object.entries(warnings)) reply.headers.set(name, value);
    return reply;
  },
);
