import { at, ok, type Contracts } from "@/lib/contracts/operations/operation";
import type { ErrorCode } from "@/lib/errors";
import { accessRequestInput, accessRequestOutput } from "@/lib/contracts/agents/access-request";
import {
  callInput,
  callOutput,
  sessionInput,
  sessionOutput,
  sessionPatch,
  toolStreamQuery,
  toolsOutput,
  toolsQuery,
  waitQuery,
} from "@/lib/contracts/agents/agent-api";
import { idInPath } from "@/lib/resources/parts/name";

/** Error codes of operations that name groups or a session, besides those of every agent request. */
const SESSION_CODES = ["invalid_request", "session_not_found"] as const satisfies readonly ErrorCode[];

/** Error codes that a call answers as a tool call result, once its body is parsed (docs/reference/http.md#agent-api). */
const CALL_CODES = [
  "session_not_found",
  "tool_not_available",
  "access_requestable",
  "ambiguous_name",
  "session_busy",
  "invalid_request",
  "invalid_arguments",
  "arguments_refused",
  "insufficient_scope",
  "rate_limited",
  "quota_exceeded",
  "approval_denied",
  "approval_expired",
  "idempotency_conflict",
  "idempotency_running",
  "upstream_auth_failed",
  "upstream_timeout",
  "upstream_unreachable",
  "upstream_error",
  "tool_failed",
  "circuit_open",
  "address_refused",
  "result_too_large",
  "output_invalid",
  "sandbox_timeout",
  "sandbox_memory",
  "sandbox_error",
  "cancelled",
  "interrupted",
  "paused",
  "overloaded",
  "config_unavailable",
  "log_unavailable",
  "internal",
] as const satisfies readonly ErrorCode[];

/** The operations of agents (docs/reference/http.md#agent-api). */
export const AGENT_OPERATIONS = {
  list_agent_tools: {
    ...at.get("/api/agents/tools"),
    summary: "List the caller's tools",
    description:
      "The list holds exactly the tools that the caller can call. `format` renders `data` in the format of a model vendor. Send the `ETag` back in `If-None-Match`: an unchanged list is a 304. The header `x-qm-vendor-limit: 128; tools=150` says that the list has more tools than the vendor accepts in one request.",
    who: "agent",
    query: toolsQuery,
    headers: ["If-None-Match"],
    answers: [
      {
        status: 200,
        description: "The list. `data` holds tool entries, or the list in the vendor format that `format` names.",
        schema: toolsOutput,
        etag: true,
      },
      { status: 304, description: "Unchanged.", etag: true },
    ],
    errors: SESSION_CODES,
  },
  stream_agent_tools: {
    ...at.get("/api/agents/stream"),
    summary: "Stream changes of the caller's tools",
    description:
      "Server-sent events: `connected`, then `tool_list` with the whole list as `list_agent_tools` answers it, and again, with `reason: \"update\"`, each time the caller's own list changes. `id` is the list's `ETag`. `heartbeat` comes every 30 seconds. `closed` `{ code, message }` ends the stream: the credential was revoked or expired (`unauthenticated`), the session ended (`session_not_found`), or the configuration is unavailable and the client should reconnect later (`config_unavailable`). A client that falls 1 MiB behind is disconnected.",
    who: "agent",
    query: toolStreamQuery,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
    errors: [...SESSION_CODES, "quota_exceeded"],
  },
  call_tool: {
    ...at.post("/api/agents/tools/call"),
    summary: "Call a tool",
    description:
      "Names the tool by `tool_id`, or by its `name` in the caller's list. Once the body is parsed, the answer is always a tool call result with the HTTP status of its error code.",
    who: "agent",
    headers: ["Idempotency-Key"],
    body: callInput,
    numbers: "exact",
    answers: [
      {
        status: 200,
        description:
          "The result; `status` says how the call ended. With `Accept: text/event-stream`, an authorized call is a stream of `progress`, `chunk` and `result`. If the credential ends first, the stream ends with `closed` and the call continues.",
        schema: callOutput,
        types: ["application/json", "text/event-stream"],
      },
      {
        status: 202,
        description:
          "Accepted: `status` is `pending`, or `awaiting_approval` until a person approves the call. Poll the address in the header `Location`.",
        schema: callOutput,
      },
    ],
    refusals: { schema: callOutput, codes: CALL_CODES },
  },
  read_call: {
    ...at.get("/api/agents/calls/{id}"),
    summary: "Read one of the caller's own calls",
    description:
      "The result of an `async` call, or of a call with an idempotency key, is stored whole for one day. Any other result comes from the log: secrets are redacted, and a result that was too large to store is `truncated`.",
    who: "agent",
    params: idInPath,
    query: waitQuery,
    answers: [
      ok("The call's result.", callOutput),
      { status: 202, description: "The call has not ended; the answer has its progress.", schema: callOutput },
    ],
    errors: ["quota_exceeded"],
  },
  cancel_call: {
    ...at.delete("/api/agents/calls/{id}"),
    summary: "Cancel one of the caller's own calls",
    description: "A waiting call never runs; a running call is aborted. A call that has ended stays unchanged.",
    who: "agent",
    params: idInPath,
    answers: [
      ok("How the call ended.", callOutput),
      { status: 202, description: "The call has not ended yet.", schema: callOutput },
    ],
  },
  follow_call: {
    ...at.get("/api/agents/calls/{id}/events"),
    summary: "Stream the progress of one of the caller's own calls",
    description:
      "Server-sent events: new `progress` and `chunk` events, `heartbeat` in between, then `result`. `closed` `{ code, message }` ends the stream early: the credential was revoked or expired (`unauthenticated`), or the configuration is unavailable and the client should reconnect later (`config_unavailable`). A client that falls 1 MiB behind is disconnected.",
    who: "agent",
    params: idInPath,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
    errors: ["quota_exceeded"],
  },
  open_access_request: {
    ...at.post("/api/agents/access-requests"),
    summary: "Request access to a tool for a time",
    description:
      "For a tool that a request policy offers: a call of the tool answers `access_requestable` with `max_hours`. A person answers the request. When it is granted, the tool appears in the caller's list until the hours end. A second request for the same tool returns the open one.",
    who: "agent",
    body: accessRequestInput,
    answers: [{ status: 202, description: "The request, which waits for a person.", schema: accessRequestOutput }],
    errors: [...SESSION_CODES, "tool_not_available", "quota_exceeded", "rate_limited"],
  },
  read_access_request: {
    ...at.get("/api/agents/access-requests/{id}"),
    summary: "Read one of the caller's own access requests",
    who: "agent",
    params: idInPath,
    answers: [ok("The request and its answer.", accessRequestOutput)],
  },
  open_session: {
    ...at.post("/api/agents/sessions"),
    summary: "Open a session",
    description:
      'A session holds the groups, state, machine and profile of one task. `group` defaults to `["default"]`. Only successful calls move its state. An unused session expires after the time in the settings, one day by default.',
    who: "agent",
    body: sessionInput,
    answers: [{ status: 201, description: "The session with its tools.", schema: sessionOutput }],
    errors: [...SESSION_CODES, "quota_exceeded"],
  },
  read_session: {
    ...at.get("/api/agents/sessions/{id}"),
    summary: "Read the present state of a session",
    who: "agent",
    params: idInPath,
    answers: [ok("The session with its tools.", sessionOutput)],
    errors: SESSION_CODES,
  },
  change_session: {
    ...at.patch("/api/agents/sessions/{id}"),
    summary: "Change a session's intent, or report that it makes no progress",
    who: "agent",
    params: idInPath,
    body: sessionPatch,
    answers: [ok("The session with its tools.", sessionOutput)],
    errors: SESSION_CODES,
  },
} as const satisfies Contracts;
