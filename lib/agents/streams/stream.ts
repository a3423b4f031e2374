import { once } from "node:events";
import { agentRoute } from "@/lib/agents/rest/agent-route";
import { requireNoConflict } from "@/lib/agents/rest/session-conflicts";
import { requireCompatible, toolList } from "@/lib/agents/rest/tool-list";
import { watchList } from "@/lib/agents/streams/watch-list";
import { toAppError } from "@/lib/errors";
import { eventStream, type EventSink } from "@/lib/http/event-stream";
import type { ToolStreamQuery } from "@/lib/contracts/agents/agent-api";
import { AGENT_OPERATIONS } from "@/lib/contracts/operations/agent-operations";
import { touchSession } from "@/lib/store/calls/sessions";
import { log } from "@/lib/telemetry/log";
import { expiryOf } from "@/lib/calls/record/record";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/**
 * GET /api/agents/stream: sends the caller's list now and after each change (docs/reference/http.md#agent-api). Refuses
 * before the stream begins. The last event is `closed` `{ code, message }`, unless the client ends the stream.
 */
export const streamTools = agentRoute(AGENT_OPERATIONS.stream_agent_tools, async ({ caller, query, requestId }) => {
  requireNoConflict(query, query.session_id);
  requireCompatible(query);
  let open: (sink: EventSink) => void = () => {};
  // A change may arrive before the stream has opened. Lists are sent in order, each after it is rendered.
  const opened = new Promise<EventSink>((resolve) => (open = resolve));
  let sent: Promise<unknown> = opened;
  const { context, stop } = await watchList({
    caller,
    stated: query,
    sessionId: query.session_id ?? null,
    requestId,
    changed: (next) => {
      sent = sent.then(() => opened).then((sink) => sendOrEnd(sink, next, query, '"reason":"update",'));
    },
    ended: ({ code, message }) => void opened.then(({ end }) => end("closed", { code, message })),
  });
  const { session, snapshot, now } = context;
  try {
    if (session !== null) await touchSession(session, expiryOf(snapshot, now), new Date(now));
  } catch (error) {
    stop();
    throw error;
  }
  return eventStream(async (sink) => {
    try {
      sink.send("connected", { request_id: requestId, revision: snapshot.revision });
      await sendOrEnd(sink, context, query);
      open(sink);
      if (!sink.closed.aborted) await once(sink.closed, "abort");
    } finally {
      stop();
    }
  });
});

/** Sends a list. An error ends the stream, so that the client returns for the whole list. */
async function sendOrEnd(sink: EventSink, next: CallContext, query: ToolStreamQuery, extraFields = ""): Promise<void> {
  try {
    await sendList(sink, next, query, extraFields);
  } catch (error) {
    log.error({ err: error }, "A list could not be sent to a stream.");
    const { code, message } = toAppError(error);
    sink.end("closed", { code, message });
  }
}

/** Sends a list. Callers with the same list share its text, so `extraFields` goes before its first field. */
async function sendList(
  { sendSerialized }: EventSink,
  context: CallContext,
  query: ToolStreamQuery,
  extraFields: string,
): Promise<void> {
  const { etag, text } = await toolList(context, query);
  const list = await text();
  sendSerialized("tool_list", [`{${extraFields}`, list.subarray(1)], etag);
}
