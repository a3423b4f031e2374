import { z } from "zod";
import { CALL_STATUSES } from "@/lib/resources/parts/words";
import { jsonObject, statedState } from "@/lib/resources/parts/name";

/** The manifest formats: the native one and those of the vendors. */
export const manifestFormat = z.enum(["native", "openai", "openai-chat", "anthropic", "gemini", "mcp"]);

/** One manifest format. */
export type ManifestFormat = z.output<typeof manifestFormat>;

const name = z.string().min(1).max(200);
const many = z.union([z.string(), z.array(z.string())]);
const flag = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1");

/** Whether a list shows all tools, or three tools that search, describe and call them. */
const listing = z.enum(["full", "search"]).default("full");

/** A number in a query. Digits only, so that an empty value is not zero. */
const numeric = z
  .string()
  .regex(/^\d+(?:\.\d+)?$/, "use a number")
  .transform(Number);

/** `group` of a query: absent = null, `group=` alone = `[]`, repeated = those names. */
const groupQuery = many
  .optional()
  .transform((value) => (value === undefined ? null : value === "" ? [] : Array.isArray(value) ? value : [value]));

/** `GET /api/agents/tools` (docs/reference/http.md). Refuses unknown keys. */
export const toolsQuery = z.strictObject({
  group: groupQuery.describe(
    "Groups to narrow the list to; repeat for several. Absent = all granted groups; `group=` alone = none.",
  ),
  state: statedState
    .optional()
    .describe(
      "The state of the run. Absent = the machine's initial state. The server holds the state of a named machine: name a session instead, unless the agent has `stateHeldByServer: false`.",
    ),
  machine: name.optional().describe("A state machine. Not used if the agent has one assigned."),
  profile: name.optional().describe("A role inside the agent's process: `main`, `subagent`, `scheduled` …"),
  intent: name.optional().describe("The intent of the run. A configured intent narrows the list."),
  confidence: numeric
    .pipe(z.number().min(0).max(1))
    .optional()
    .describe("The confidence in the intent, 0 to 1; absent = 0."),
  session_id: z.string().max(64).optional().describe("A session, which holds the groups, state, machine and profile."),
  skip_cache: flag.optional().describe("Skips the cache of decided lists."),
  min_revision: numeric
    .pipe(z.int().min(0))
    .optional()
    .describe(
      "Waits for this revision of the configuration: up to 2 seconds, or 10 while the server loads it. Then answers 503.",
    ),
  format: manifestFormat.default("native").describe("The format of `data`: Quartermaster's own, or a vendor's."),
  search: z.string().max(200).optional().describe("Only tools that contain every word."),
  limit: numeric
    .pipe(z.int().min(1).max(10_000))
    .optional()
    .describe("The largest number of tools on a page; absent = all."),
  cursor: z.string().max(500).optional().describe("The `next_cursor` of the previous page."),
  listing: listing.describe("`search`: the list holds three tools instead, which search, describe and call the tools."),
  defer_loading: flag
    .optional()
    .describe(
      "Uses the vendor's own tool search (`openai`, `anthropic`): its entry is the first of `data`, and the tools load when it finds them.",
    ),
});

/** `GET /api/agents/stream`: sends the whole list again at every change. */
export const toolStreamQuery = toolsQuery.omit({
  skip_cache: true,
  min_revision: true,
  search: true,
  limit: true,
  cursor: true,
});

/**
 * The parameters that narrow the tools at `/mcp`: those of the list, each as a query parameter or an `x-qm-*` header
 * (docs/reference/http.md).
 */
export const mcpQuery = toolsQuery.pick({
  group: true,
  state: true,
  machine: true,
  profile: true,
  intent: true,
  confidence: true,
  session_id: true,
  listing: true,
});

/** A part of the tool's schema that a vendor's format cannot express. */
export const manifestNote = z.object({
  name: z.string().describe("The tool's name in this list."),
  kind: z
    .enum(["not_strict", "narrowed", "left_out"])
    .describe(
      "`not_strict`: the tool has no strict mode. `narrowed`: a property is left out. `left_out`: the tool is not in `data`.",
    ),
  reason: z.string(),
});

/** One tool in the native format. */
export const toolEntry = z.object({
  tool_id: z.string().describe("`source:operation`. Names the tool in a call."),
  name: z.string().describe("The tool's name in this caller's list. Show this name to the model."),
  description: z.string().describe("The description, followed by the groups' guidance."),
  input_schema: jsonObject,
  output_schema: jsonObject.optional(),
  source_id: z.string(),
  source_path: z.string().nullable(),
  tags: z.array(z.string()),
  version: z.string().nullable(),
  annotations: jsonObject,
  groups: z.array(z.string()),
  conditions: z
    .array(z.string())
    .optional()
    .describe("Present when only some arguments are allowed: the conditions, in words."),
});

/** The answer of `GET /api/agents/tools`. */
export const toolsOutput = z.object({
  data: z.array(z.unknown()).describe("`ToolEntry`, or the vendor's format."),
  count: z.int().describe("The number of tools on all pages."),
  revision: z.int().describe("The revision of the configuration that decided the list."),
  state: z.string(),
  profile: z.string(),
  mode: z.string(),
  tokens: z.int().describe("An estimate of the tokens that `data` takes in a model's context, within 20 %."),
  notes: z
    .array(manifestNote)
    .optional()
    .describe("Present when the format cannot express every schema: the tools concerned, with reasons."),
  next_cursor: z.string().nullable().optional(),
});

/** One step of a session's history as the agent reports it. For the auditor only: nothing depends on it. */
export const sessionStep = z.object({
  thought: z.string().max(20_000).optional(),
  action: z.string().max(200),
  arguments: z.json().optional(),
  observation: z.json().optional(),
  state: z.string().max(200).optional(),
});

/** The answer names at most this many unknown fields of steps. */
const MAX_NAMED_FIELDS = 20;

/** The names of step fields that are not stored, each once. Older agents send such fields (`plan`, `goal` …). */
function unknownFields(history: readonly object[]): readonly string[] {
  const found = new Set(history.flatMap((step) => Object.keys(step)).filter((field) => !(field in sessionStep.shape)));
  return [...found].slice(0, MAX_NAMED_FIELDS).map((field) => field.slice(0, 100));
}

/** The steps as they are stored, and the names of ignored fields. */
const sessionHistory = z
  .array(z.looseObject(sessionStep.shape))
  .max(1000)
  .transform((history) => ({ steps: z.array(sessionStep).parse(history), ignored: unknownFields(history) }));

/** `POST /api/agents/sessions`. */
export const sessionInput = z.strictObject({
  question: z.string().max(20_000).optional(),
  group: z
    .array(name)
    .max(500)
    .nullish()
    .describe('Absent = `["default"]`; `[]` = none; `["*"]` = all granted groups.'),
  state: statedState.nullish(),
  history: sessionHistory.optional().describe("Unknown fields of a step are ignored; `notes` names them."),
  machine: name.nullish(),
  profile: name.nullish(),
  intent: name.nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  metadata: jsonObject.optional(),
});

/** `PATCH /api/agents/sessions/{id}`: only these fields may change. */
export const sessionPatch = z.strictObject({
  intent: name.nullish(),
  confidence: z.number().min(0).max(1).nullish(),
  no_progress: z.boolean().optional().describe("`true` lifts the narrowing by intent, once per session."),
});

/** A session as its owner sees it. */
export const sessionOutput = z.object({
  session_id: z.string(),
  state: z.string(),
  mode: z.string(),
  tier: z.array(z.string()).nullable(),
  escalated: z.boolean(),
  tools: z.array(toolEntry),
  revision: z.int(),
  expires_at: z.iso.datetime(),
  notes: z
    .array(z.string())
    .optional()
    .describe(
      "Sentences for a person: which part of the request was ignored, and which groups apply when `group` is absent.",
    ),
});

/** `POST /api/agents/tools/call`. Exactly one of `tool_id` and `name`. */
export const callInput = z
  .strictObject({
    tool_id: z.string().max(200).optional().describe("Set exactly one of `tool_id` and `name`."),
    name: z.string().max(200).optional().describe("The tool's name in the caller's list."),
    /** Kept as received: the pipeline limits it, and a schema here would drop `__proto__` instead of refusing it. */
    arguments: z.unknown().optional().describe("An object that fits the tool's `input_schema`."),
    session_id: z.string().max(64).optional(),
    group: z.array(name).max(500).nullish(),
    state: statedState.nullish(),
    machine: name.nullish(),
    profile: name.nullish(),
    intent: name.nullish(),
    confidence: z.number().min(0).max(1).nullish(),
    listing: listing.describe(
      "The listing that the client requested. With `search`, `name` is one of its three tools.",
    ),
    mode: z.enum(["sync", "async"]).default("sync"),
    stream: z.boolean().default(false),
    callback_url: z
      .url()
      .max(2048)
      .optional()
      .describe(
        "With `mode: async`: an https address that receives the result of the call, in the form of `read_call`. Its origin must be among the agent's `callbackOrigins`, which an administrator sets. The message is signed with a key of `/api/jwks.json` (Standard Webhooks v1a).",
      ),
  })
  .refine((call) => (call.tool_id === undefined) !== (call.name === undefined), {
    path: ["tool_id"],
    message: "set exactly one of `tool_id` and `name`",
  })
  .meta({ examples: [{ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } }] });

/** `GET /api/agents/calls/{call_id}`. */
export const waitQuery = z.strictObject({
  wait: numeric
    .pipe(z.number().max(60))
    .default(0)
    .describe("Seconds to wait for the end of the call, at most 60. After that, the answer has its progress."),
});

/** The answer to every call whose request fits `callInput`. The HTTP status follows from `status` and `error.code`. */
export const callOutput = z.object({
  call_id: z.string(),
  tool_id: z.string().nullable(),
  name: z.string().nullable(),
  status: z.enum(CALL_STATUSES),
  message: z.string().optional().describe("With `awaiting_approval`: what happens next."),
  output: z.json().optional(),
  output_warning: z
    .object({
      message: z.string(),
      problems: z.array(
        z.object({ pointer: z.string().describe("A JSON pointer into `output`."), message: z.string() }),
      ),
    })
    .optional()
    .describe("The call succeeded, but `output` does not fit the tool's output schema, or could not be checked."),
  content: z
    .array(jsonObject)
    .optional()
    .describe("For tools of MCP servers: the content blocks. The structured content is `output`."),
  /**
   * Replaces `output` when a stored result was too large to keep: the SHA-256 (hex), the size in bytes and the
   * beginning of the redacted result as canonical JSON text.
   */
  truncated: z.object({ sha256: z.string(), bytes: z.int(), beginning: z.string() }).optional(),
  error: z
    .object({ code: z.string(), message: z.string(), retryable: z.boolean(), details: z.json().optional() })
    .optional(),
  state: z.object({ before: z.string().nullable(), after: z.string().nullable() }),
  duration_ms: z.number(),
  attempts: z.int(),
  delivery: z
    .enum(["at_most_once", "at_least_once"])
    .optional()
    .describe(
      "For async calls: `at_least_once` if the call may run again after its process died. Only idempotent calls run again.",
    ),
  revision: z.int(),
});

/** A call's request, normalised. */
export type CallInput = z.output<typeof callInput>;
/** A call's answer. */
export type CallOutput = z.output<typeof callOutput>;
/** One manifest entry. */
export type ToolEntry = z.output<typeof toolEntry>;
/** A list's query. */
export type ToolsQuery = z.output<typeof toolsQuery>;
/** The stream's query. */
export type ToolStreamQuery = z.output<typeof toolStreamQuery>;
/** The parameters that narrow the tools at `/mcp`. */
export type McpQuery = z.output<typeof mcpQuery>;
/** A session's creation. */
export type SessionInput = z.output<typeof sessionInput>;
