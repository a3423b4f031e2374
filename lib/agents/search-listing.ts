import type { Json, JsonObject, Tool } from "@/lib/access/configuration";
import { situationOf } from "@/lib/agents/list";
import { AppError } from "@/lib/errors";
import { manifestEntries } from "@/lib/manifest/entries";
import { withoutForcedNulls } from "@/lib/manifest/forced-nulls";
import { toNative } from "@/lib/manifest/native";
import { SEARCH_LISTING, searchListing } from "@/lib/manifest/search-listing";
import { boundArguments } from "@/lib/tools/argument-bounds";
import { answerer, type Answer, type Answerer } from "@/lib/tools/answer";
import type { Call } from "@/lib/tools/call";
import type { Dependencies } from "@/lib/tools/dependencies";
import { NOT_AVAILABLE } from "@/lib/tools/find-tool";
import type { SchemaProblem, Validate } from "@/lib/tools/schemas/schema-problem";
import { compileTrusted } from "@/lib/tools/schemas/trusted-validator";
import { searchTools } from "@/lib/tools/search";
import type { Situation } from "@/lib/tools/situation";

/** Compiled at their first use: a start does not wait for that (6-promises, Restart). */
const validators = new Map(
  searchListing.map(({ resolved: { tool } }) => {
    let compiled: Validate | null = null;
    const validate: Validate = (value) => (compiled ??= compileTrusted(tool.inputSchema))(value);
    return [tool.name, { tool, validate }];
  }),
);

/** The pipeline, as a door enters it. */
export type Run = (call: Call, deps: Dependencies) => Promise<Answer>;

/**
 * A call of a search listing (decision 0022). `call_tool` is the call that it names: `run` makes it as if the agent had made
 * it itself, and the log holds that one. The other two read the caller's own list, as `GET /api/agents/tools` does: nothing
 * runs, so nothing is logged. Any other name is a tool of that list.
 */
export async function callListed(call: Call, deps: Dependencies, run: Run): Promise<Answer> {
  const listed = validators.get(call.name ?? "");
  if (listed === undefined) return run(call, deps);
  const { tool, validate } = listed;
  const answer = answerer(call, () => deps.now() - call.at);
  const bounded = boundArguments(call.arguments);
  if (!bounded.ok) return misfit(tool, bounded.problem, answer);
  const args = withoutForcedNulls(bounded.value, tool.inputSchema);
  const [problem] = validate(args);
  if (problem !== undefined) return misfit(tool, problem, answer);
  if (tool.name === SEARCH_LISTING.call) return run({ ...call, ...toolOf(args), arguments: args["arguments"] }, deps);
  return readList(call, tool.name === SEARCH_LISTING.search ? searched : described, args, answer);
}

function misfit({ name }: Tool, { pointer, message }: SchemaProblem, answer: Answerer): Answer {
  const where = pointer === "" ? "" : ` at ${pointer}`;
  return answer.error("invalid_arguments", `The arguments do not fit \`${name}\`${where}: ${message}.`, {
    details: { problems: [{ pointer, message }] },
  });
}

/** What is read from a list; `null` = there is no such tool in it. */
type Read = (situation: Situation, args: JsonObject) => Json | null;

async function readList(call: Call, read: Read, args: JsonObject, answer: Answerer): Promise<Answer> {
  const { caller, stated, sessionId, requestId } = call;
  try {
    const situation = await situationOf(caller, stated, sessionId, { requestId });
    const { state, revision } = situation.resolution;
    const facts = { state: { before: state, after: state }, revision };
    const output = read(situation, args);
    return output === null ? answer.error("tool_not_available", NOT_AVAILABLE, facts) : answer.success(output, facts);
  } catch (error) {
    if (error instanceof AppError) return answer.error(error.code, error.message);
    throw error;
  }
}

const searched: Read = ({ resolution }, { query, limit }) => {
  const tools = resolution.tools.map(({ tool, exposedName }) => ({ ...tool, name: exposedName }));
  const found = searchTools(tools, String(query), typeof limit === "number" ? limit : undefined);
  return { count: found.length, results: found.map(({ name, description }) => ({ name, description })) };
};

const described: Read = ({ snapshot, request, resolution, now }, args) => {
  const { toolId, name } = toolOf(args);
  const found = resolution.tools.filter(({ tool, exposedName }) => tool.id === toolId || exposedName === name);
  const [entry] = manifestEntries({ index: snapshot.index, request, resolution, now }, found);
  return entry === undefined ? null : (toNative(entry) as Json);
};

/** The colon of an id cannot be part of a name. */
function toolOf({ name }: JsonObject): Pick<Call, "toolId" | "name"> {
  const asked = String(name);
  return asked.includes(":") ? { toolId: asked, name: null } : { toolId: null, name: asked };
}
