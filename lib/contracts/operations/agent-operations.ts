import { z } from "zod";
import type { Contracts } from "@/lib/contracts/operations/operation";
import type { ErrorCode } from "@/lib/errors";
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

const id = z.object({ id: z.string().min(1).max(64) });

/** Error codes of requests that list tools or open sessions, besides those of every agent request. */
const REFUSED = ["invalid_request", "session_not_found"] as const satisfies readonly ErrorCode[];

/** Codes of a call whose request was parsed: answered as a tool call result (docs/reference/http.md#agent-api). */
const CALL_CODES = [
  "session_not_found",
  "tool_not_available",
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
    method: "get",
    path: "/api/agents/tools",
    chapter: "agent-api",
    summary: "List the tools that the caller has",
    description:
      "Exactly the tools that can be called, and nothing else. `format` renders `data` as your model's vendor expects it. Keep the `ETag`: with `If-None-Match` an unchanged list is a 304. The header `x-qm-vendor-limit: 128; tools=150` says that the list has more tools than one request in this format takes.",
    who: "agent",
    query: toolsQuery,
    headers: ["If-None-Match"],
    answers: [
      {
        status: 200,
        description: "The list; `data` holds tool entries, or what `format` asks for.",
        schema: toolsOutput,
        etag: true,
      },
      { status: 304, description: "Unchanged.", etag: true },
    ],
    errors: REFUSED,
  },
  stream_agent_tools: {
    method: "get",
    path: "/api/agents/stream",
    chapter: "agent-api",
    summary: "Follow the tools that the caller has",
    description:
      "Server-sent events: `connected`, then `tool_list` with the whole list as `list_agent_tools` answers it, and again, with `reason: \"update\"`, whenever the caller's own list has changed, and only then. `id` is the list's `ETag`. `heartbeat` every 30 seconds. `closed` `{ code, message }` ends the stream: the credential was revoked or has expired (`unauthenticated`), the session has ended (`session_not_found`), or come back later (`config_unavailable`). A reader that is 1 MiB behind is cut off.",
    who: "agent",
    query: toolStreamQuery,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
    errors: [...REFUSED, "quota_exceeded"],
  },
  call_tool: {
    method: "post",
    path: "/api/agents/tools/call",
    chapter: "agent-api",
    summary: "Call a tool",
    description:
      "By `tool_id`, or by the `name` of your list. Once the body is parsed the answer is always a tool call result, with the HTTP status of its error code.",
    who: "agent",
    headers: ["Idempotency-Key"],
    body: callInput,
    numbers: "exact",
    answers: [
      {
        status: 200,
        description:
          "The result; `status` says how the call ended. A stream of `progress`, `chunk` and `result` when asked; `closed` where the credential ends first, and the call goes on.",
        schema: callOutput,
        types: ["application/json", "text/event-stream"],
      },
      {
        status: 202,
        description: "Accepted: `status` is `pending`. Ask for the answer by `call_id`.",
        schema: callOutput,
      },
    ],
    refusals: { schema: callOutput, codes: CALL_CODES },
  },
  read_call: {
    method: "get",
    path: "/api/agents/calls/{id}",
    chapter: "agent-api",
    summary: "Read one of the caller's own calls",
    description:
      "The answer of a call of mode `async`, or with an idempotency key, is kept whole for a day. Any other is as the log holds it: secrets are redacted, a result that was too large to keep is `truncated`.",
    who: "agent",
    params: id,
    query: waitQuery,
    answers: [
      { status: 200, description: "The call's result.", schema: callOutput },
      { status: 202, description: "It has not ended: where it stands.", schema: callOutput },
    ],
    errors: ["quota_exceeded"],
  },
  cancel_call: {
    method: "delete",
    path: "/api/agents/calls/{id}",
    chapter: "agent-api",
    summary: "Give up one of the caller's own calls",
    description: "A call that waits never runs; one that runs is aborted. What has ended stays as it is.",
    who: "agent",
    params: id,
    answers: [
      { status: 200, description: "How the call ended.", schema: callOutput },
      { status: 202, description: "It has not ended yet.", schema: callOutput },
    ],
  },
  follow_call: {
    method: "get",
    path: "/api/agents/calls/{id}/events",
    chapter: "agent-api",
    summary: "Follow one of the caller's own calls",
    description:
      "Server-sent events: `progress` and `chunk` from now on, `heartbeat` while it is quiet, then `result`. `closed` `{ code, message }` ends the stream before: the credential was revoked or has expired (`unauthenticated`), or come back later (`config_unavailable`). A reader that is 1 MiB behind is cut off.",
    who: "agent",
    params: id,
    answers: [{ status: 200, description: "The events.", types: ["text/event-stream"] }],
    errors: ["quota_exceeded"],
  },
  open_session: {
    method: "post",
    path: "/api/agents/sessions",
    chapter: "agent-api",
    summary: "Open a session",
    description:
      'A session holds group, state, machine and profile of one task. Absent `group` is `["default"]`. Its state moves by successful calls only; unused for as long as the settings say, a day where they say nothing, it expires.',
    who: "agent",
    body: sessionInput,
    answers: [{ status: 201, description: "The session with its tools.", schema: sessionOutput }],
    errors: [...REFUSED, "quota_exceeded"],
  },
  read_session: {
    method: "get",
    path: "/api/agents/sessions/{id}",
    chapter: "agent-api",
    summary: "Read a session as it is now",
    who: "agent",
    params: id,
    answers: [{ status: 200, description: "The session with its tools.", schema: sessionOutput }],
    errors: REFUSED,
  },
  change_session: {
    method: "patch",
    path: "/api/agents/sessions/{id}",
    chapter: "agent-api",
    summary: "Change a session's intent, or report no progress",
    who: "agent",
    params: id,
    body: sessionPatch,
    answers: [{ status: 200, description: "The session with its tools.", schema: sessionOutput }],
    errors: REFUSED,
  },
} as const satisfies Contracts;
