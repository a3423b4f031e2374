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

/** Whether a list shows all tools or the search tool. */
const listing = z.enum(["full", "search"]).default("full");

/** A number of a query. Digits only, so that an empty value is not zero. */
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
  group: groupQuery.describe("Groups to narrow to, repeated; absent = all that is granted, `group=` alone = none."),
  state: statedState
    .optional()
    .describe(
      "The state of the run; absent = the machine's initial one. Of a named machine only for agents that may state it: others name a session.",
    ),
  machine: name.optional().describe("A state machine, unless the agent has one."),
  profile: name.optional().describe("A role inside the agent's process: `main`, `subagent`, `scheduled` …"),
  intent: name.optional().describe("What the run is about; narrows the list when the intent is known."),
  confidence: numeric.pipe(z.number().min(0).max(1)).optional().describe("How sure the intent is, 0 to 1; absent = 0."),
  session_id: z.string().max(64).optional().describe("A session, which holds group, state, machine and profile."),
  skip_cache: flag.optional().describe("Decide anew."),
  min_revision: numeric
    .pipe(z.int().min(0))
    .optional()
    .describe("Wait up to 2 seconds for this revision of the configuration, then 503."),
  format: manifestFormat.default("native").describe("How `data` is written: ours, or a vendor's."),
  search: z.string().max(200).optional().describe("Only tools in which every word is found."),
  limit: numeric.pipe(z.int().min(1).max(10_000)).optional().describe("A page of so many tools; absent = all."),
  cursor: z.string().max(500).optional().describe("The `next_cursor` of the page before."),
  listing: listing.describe(
    "`search`: three tools in place of the list, which search it, describe one of it and call one.",
  ),
  defer_loading: flag
    .optional()
    .describe("Leave the tools to the vendor's own tool search, whose entry heads `data`: `openai` and `anthropic`."),
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
    .describe("Sent without strict mode; a property is not offered; the tool is not in `data`."),
  reason: z.string(),
});

/** One tool in the native format. */
export const toolEntry = z.object({
  tool_id: z.string().describe("`source:operation`; what a call names."),
  name: z.string().describe("The name in this caller's list; what a model is told."),
  description: z.string().describe("With the groups' guidance appended."),
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
    .describe("Present when calls are allowed only for some arguments: the conditions, in words."),
});

/** The answer of `GET /api/agents/tools`. */
export const toolsOutput = z.object({
  data: z.array(z.unknown()).describe("`ToolEntry`, or what `format` asks for."),
  count: z.int().describe("Tools in all, on every page."),
  revision: z.int().describe("Of the configuration that decided."),
  state: z.string(),
  profile: z.string(),
  mode: z.string(),
  tokens: z.int().describe("An estimate of what `data` takes of a model's context, to within a fifth."),
  notes: z
    .array(manifestNote)
    .optional()
    .describe("Present when the format could not say everything: which tools are not strict, and why."),
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

/** The names, each once, of step fields that are not kept. Older agents send such fields (`plan`, `goal` …). */
function unknownFields(history: readonly object[]): readonly string[] {
  const found = new Set(history.flatMap((step) => Object.keys(step)).filter((field) => !(field in sessionStep.shape)));
  return [...found].slice(0, MAX_NAMED_FIELDS).map((field) => field.slice(0, 100));
}

/** The kept steps, and the names of the fields that are not kept. */
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
    .describe('Absent = `["default"]`; `[]` = none; `["*"]` = all that is granted.'),
  state: statedState.nullish(),
  history: sessionHistory
    .optional()
    .describe("Fields of a step that are not named here are ignored; `notes` names them."),
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
  no_progress: z.boolean().optional().describe("True: the narrowing of an intent is lifted, once a session."),
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
  notes: z.array(z.string()).optional().describe("Present when part of the request was ignored: what."),
});

/** `POST /api/agents/tools/call`. Exactly one of `tool_id` and `name`. */
export const callInput = z
  .strictObject({
    tool_id: z.string().max(200).optional().describe("State exactly one of `tool_id` and `name`."),
    name: z.string().max(200).optional().describe("The name in your list."),
    /** Kept as received: the pipeline limits it, and a schema here would drop `__proto__` instead of refusing it. */
    arguments: z.unknown().optional().describe("An object that fits the tool's `input_schema`."),
    session_id: z.string().max(64).optional(),
    group: z.array(name).max(500).nullish(),
    state: statedState.nullish(),
    machine: name.nullish(),
    profile: name.nullish(),
    intent: name.nullish(),
    confidence: z.number().min(0).max(1).nullish(),
    listing: listing.describe("As the list was asked for: `search` makes `name` one of its three tools."),
    mode: z.enum(["sync", "async"]).default("sync"),
    stream: z.boolean().default(false),
    callback_url: z
      .url()
      .max(2048)
      .optional()
      .describe(
        "With `mode: async`: an https address that the call's end is posted to, as `read_call` answers it. Its origin must be one of `callbackOrigins` of your agent: none unless an administrator lists some. Signed by the keys of `/api/jwks.json`, as Standard Webhooks v1a.",
      ),
  })
  .refine((call) => (call.tool_id === undefined) !== (call.name === undefined), {
    path: ["tool_id"],
    message: "state exactly one of `tool_id` and `name`",
  })
  .meta({ examples: [{ tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } }] });

/** `GET /api/agents/calls/{call_id}`. */
export const waitQuery = z.strictObject({
  wait: numeric
    .pipe(z.number().max(60))
    .default(0)
    .describe("Seconds to wait for the call's end, 60 at most; then the answer says how it stands."),
});

/** The answer to every call whose request was parsed, with the status of the code table. */
export const callOutput = z.object({
  call_id: z.string(),
  tool_id: z.string().nullable(),
  name: z.string().nullable(),
  status: z.enum(CALL_STATUSES),
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
    .describe("Of a tool of an MCP server: the content blocks beside its structured content, which is `output`."),
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
      "Of a call that is answered later: whether it may be made again when the process that makes it dies, which only happens where twice does no more than once.",
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
