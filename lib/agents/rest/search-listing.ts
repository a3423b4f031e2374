import type { Json, JsonObject, Tool } from "@/lib/access/model/configuration";
import type { Resolution } from "@/lib/access/decide/resolution";
import { callContextOf } from "@/lib/agents/rest/list";
import { AppError } from "@/lib/errors";
import { manifestEntries } from "@/lib/manifest/entries";
import { visibleTool } from "@/lib/manifest/visible-tool";
import { withoutForcedNulls } from "@/lib/manifest/schema/forced-nulls";
import { stage } from "@/lib/process/turn";
import { toNative } from "@/lib/manifest/native";
import { SEARCH_LISTING, searchListing } from "@/lib/manifest/search-listing";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import { answerer, type Answer } from "@/lib/calls/pipeline/answer";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { findTool } from "@/lib/calls/pipeline/find-tool";
import type { SchemaProblem, Validate } from "@/lib/calls/schemas/schema-problem";
import { compileTrusted } from "@/lib/calls/schemas/trusted-validator";
import { searchInParts } from "@/lib/calls/pipeline/search";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** Compiled at first use, so that they do not delay the start (docs/reference/promises.md#restart). */
const validators = new Map(
  searchListing.map(({ resolved: { tool } }) => {
    let compiled: Validate | null = null;
    const validate: Validate = (value) => (compiled ??= compileTrusted(tool.inputSchema))(value);
    return [tool.name, { tool, validate }];
  }),
);

/** The pipeline's entry for a call. */
export type Run = (call: Call, deps: Dependencies) => Promise<Answer>;

/**
 * Runs a call of a search listing (decision 0022). `call_tool` runs and logs the call that it names. The other two tools
 * read the caller's list as `GET /api/agents/tools` does and are not logged. `run` logs every refusal. Any other name is a
 * tool of the list.
 */
export async function callListed(call: Call, deps: Dependencies, run: Run): Promise<Answer> {
  const listed = validators.get(call.name ?? "");
  if (listed === undefined) return run(call, deps);
  const { tool, validate } = listed;
  const refuse = (refused: Refusal) => run({ ...call, refused }, deps);
  const bounded = await stage(() => boundArguments(call.arguments));
  if (!bounded.ok) return refuse(invalidArguments(tool, bounded.problem));
  const args = withoutForcedNulls(bounded.value, tool.inputSchema);
  const [problem] = validate(args);
  if (problem !== undefined) return refuse(invalidArguments(tool, problem));
  if (tool.name === SEARCH_LISTING.call) return run({ ...call, ...toolOf(args), arguments: args["arguments"] }, deps);
  const read = tool.name === SEARCH_LISTING.search ? searchList : describeTool;
  return answerRead(call, (context) => read(context, args), deps, run);
}

function invalidArguments({ name }: Tool, { pointer, message }: SchemaProblem): Refusal {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return {
    code: "invalid_arguments",
    message: `The arguments of \`${name}\` are not valid${where}: ${message}.`,
    details: { problems: [{ pointer, message }] },
    reason: "invalid_arguments",
  };
}

/** Reads from a list, or returns a refusal. */
type Read = (context: CallContext, args: JsonObject) => ReadResult | Promise<ReadResult>;

/** What a read of the list found, or why it is refused. */
export type ReadResult = { readonly output: Json } | Refusal;

/** Answers a call that is not logged. `run` logs a refusal, and runs the call when `read` returns `null`. */
export async function answerRead(
  call: Call,
  read: (context: CallContext) => ReadResult | null | Promise<ReadResult | null>,
  deps: Dependencies,
  run: Run,
): Promise<Answer> {
  const refuse = (refused: Refusal) => run({ ...call, refused }, deps);
  const { caller, stated, sessionId, requestId } = call;
  let context: CallContext;
  try {
    context = await callContextOf(caller, stated, sessionId, { requestId });
  } catch (error) {
    if (error instanceof AppError) return refuse({ code: error.code, message: error.message, reason: error.code });
    throw error;
  }
  const found = await read(context);
  if (found === null) return run(call, deps);
  if ("code" in found) return refuse(found);
  const { state, revision } = context.resolution;
  const facts = { state: { before: state, after: state }, revision };
  return answerer(call, () => deps.now() - call.at).success(found.output, facts);
}

const searchList: Read = async ({ resolution }, { query, limit }) => {
  const maxResults = typeof limit === "number" ? limit : undefined;
  const found = await runInTurns(searchInParts(namedTools(resolution), String(query), maxResults));
  return { output: { count: found.length, results: found.map(({ name, description }) => ({ name, description })) } };
};

function* namedTools({ tools }: Resolution): Iterable<Tool> {
  for (const { tool, exposedName } of tools) yield { ...visibleTool(tool), name: exposedName };
}

const describeTool: Read = (context, args) => {
  const found = findTool(toolOf(args), context);
  if ("code" in found) return found;
  const { snapshot, request, resolution, now } = context;
  const entries = manifestEntries({ index: snapshot.index, request, resolution, now }, [found]);
  return { output: entries.map(toNative)[0] as Json };
};

/** A colon marks an id: names cannot contain one. */
function toolOf({ name }: JsonObject): Pick<Call, "toolId" | "name"> {
  const requested = String(name);
  return requested.includes(":") ? { toolId: requested, name: null } : { toolId: null, name: requested };
}
