import { checkArguments } from "@/lib/access/decide/arguments";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import type { ResolvedTool } from "@/lib/access/decide/resolution";
import { AppError, messageOf } from "@/lib/errors";
import { authorizationNeeded } from "@/lib/calls/linked-accounts/authorization-needed";
import { findCallersLink } from "@/lib/calls/linked-accounts/linked-token";
import { withoutForcedNulls } from "@/lib/manifest/schema/forced-nulls";
import type { SourceRow } from "@/lib/resources/source";
import type { ToolRow } from "@/lib/resources/tool";
import { stage } from "@/lib/process/turn";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import { builtinTool } from "@/lib/calls/builtin/index";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import { findTool, grantingPolicies } from "@/lib/calls/pipeline/find-tool";
import { reachesAnotherOperation } from "@/lib/calls/pipeline/other-operations";
import { MAX_PROBLEMS } from "@/lib/calls/schemas/schema-problem";
import { problemsOf } from "@/lib/calls/schemas/validators";
import type { CallContext } from "@/lib/calls/pipeline/call-context";

/** A call that may run. */
export interface AuthorizedCall {
  readonly visible: ResolvedTool;
  readonly tool: ToolRow;
  readonly source: SourceRow;
  /** The arguments for check, log and run: without nulls that a vendor's strict mode forced (decision 0022). */
  readonly arguments: JsonObject;
  readonly policies: readonly string[];
}

/** Runs steps 2–6 of the pipeline in order, until one refuses the call (docs/reference/execution.md#pipeline). */
export async function decide(call: Call, context: CallContext): Promise<AuthorizedCall | Refusal> {
  const visible = findTool(call, context);
  if ("code" in visible) return visible;
  // The log names these also for a refusal.
  const trail = {
    toolId: visible.tool.id,
    policies: grantingPolicies(visible, context),
    groups: visible.groups,
  };
  const decision = await decideVisible(call, visible, context);
  if ("code" in decision) return { ...trail, ...decision };
  return { ...decision, policies: trail.policies };
}

/** Steps 3–6, for a tool in the caller's list. */
async function decideVisible(
  call: Call,
  visible: ResolvedTool,
  context: CallContext,
): Promise<Omit<AuthorizedCall, "policies"> | Refusal> {
  const { snapshot } = context;
  const tool = snapshot.tools.get(visible.tool.id);
  const source = tool === undefined ? undefined : snapshot.sources.get(tool.source);
  if (tool === undefined || source === undefined || !visible.callable)
    return { code: "tool_not_available", message: "This tool cannot be called now.", reason: "not_callable" };
  const bounded = await stage(() => boundArguments(call.arguments));
  if (!bounded.ok) return invalidArguments([bounded.problem]);
  const args = withoutForcedNulls(bounded.value, tool.inputSchema as JsonObject);
  return (
    (await againstSchema(tool, args)) ??
    againstPolicies(tool.id, args, context) ??
    againstTool(tool, args) ??
    againstAddress(tool, args, context) ??
    againstScopes(tool, source, context) ??
    (await againstLinkedAccount(source, context)) ?? { visible, tool, source, arguments: args }
  );
}

/** Step 4: the input schema. */
async function againstSchema(tool: ToolRow, args: JsonObject): Promise<Refusal | null> {
  try {
    const definition = tool as Parameters<typeof problemsOf>[1];
    const problems = await problemsOf(args, definition, "inputSchema", builtinTool(tool.id));
    return problems.length === 0 ? null : invalidArguments(problems);
  } catch (error) {
    if (error instanceof AppError)
      return { code: error.code, message: error.message, reason: `input schema: ${error.code}` };
    const why = messageOf(error);
    return {
      code: "invalid_arguments",
      message:
        "The tool's input schema is not valid, so Quartermaster accepts no arguments. An administrator must correct it.",
      reason: `input schema: ${why}`,
    };
  }
}

/** Step 4: the policies' conditions on arguments. The model may read the policy's description. */
export function againstPolicies(
  toolId: string,
  args: JsonObject,
  { snapshot, request, now }: CallContext,
): Refusal | null {
  const verdict = checkArguments(snapshot.index, request, toolId, args, now);
  if (verdict.allowed) return null;
  return {
    code: "arguments_refused",
    message: verdict.reason,
    reason: verdict.policy === null ? "arguments_refused" : `arguments_refused by ${verdict.policy}`,
    ...(verdict.policy === null ? {} : { policies: [verdict.policy] }),
  };
}

/** Step 5: the tool's own check of its arguments. */
function againstTool(tool: ToolRow, args: JsonObject): Refusal | null {
  let problems: readonly string[];
  try {
    problems = builtinTool(tool.id)?.validateArgs?.(args) ?? [];
  } catch (error) {
    problems = [messageOf(error)];
  }
  return problems.length === 0 ? null : invalidArguments(problems.map((message) => ({ pointer: "", message })));
}

/** A grant covers one operation: path arguments may not produce the address of another one. */
function againstAddress(tool: ToolRow, args: JsonObject, { snapshot }: CallContext): Refusal | null {
  if (!reachesAnotherOperation(tool, args, snapshot)) return null;
  return invalidArguments([
    { pointer: "", message: "a path argument turns the address into that of another operation" },
  ]);
}

/**
 * Step 6: the scopes that the tool requires, and those that its upstream requires when the caller's token is exchanged.
 * With other authentication the upstream does not receive the caller's token.
 */
function againstScopes(tool: ToolRow, { auth }: SourceRow, { caller }: CallContext): Refusal | null {
  const upstream = auth.mode === "token_exchange" ? tool.upstreamScopes : [];
  const required = [...new Set([...tool.requiredScopes, ...upstream])];
  const present = tokenScopes(caller.claims);
  const missing = required.filter((scope) => !present.has(scope));
  if (missing.length === 0) return null;
  return {
    code: "insufficient_scope",
    message: `Your token lacks the scope ${missing.map((scope) => `\`${scope}\``).join(", ")}.`,
    details: { required, present: [...present], missing },
    reason: `insufficient_scope: ${missing.join(" ")}`,
  };
}

/** Step 6 of a source that requires the user's own sign-in: the caller's person must have linked an account. */
async function againstLinkedAccount({ name, auth }: SourceRow, { caller }: CallContext): Promise<Refusal | null> {
  if (auth.mode !== "user") return null;
  const found = await findCallersLink(caller, name);
  if (typeof found !== "string") return null;
  return {
    code: "authorization_needed",
    ...authorizationNeeded(name, found, caller.credential),
    reason: `authorization_needed: ${found}`,
  };
}

function invalidArguments(problems: readonly { readonly pointer: string; readonly message: string }[]): Refusal {
  const first = problems.slice(0, MAX_PROBLEMS).map(({ pointer, message }) => ({ pointer, message }));
  const details: Json = { problems: first };
  const [problem] = first;
  const where = problem === undefined || problem.pointer === "" ? "" : ` at ${problem.pointer}`;
  return {
    code: "invalid_arguments",
    message: `The arguments are not valid${where}: ${problem?.message ?? "see details"}.`,
    details,
    reason: "invalid_arguments",
  };
}

/** The scopes of a caller's token: `scope` as words (RFC 9068), `scp` as words or a list. */
function tokenScopes(claims: JsonObject): ReadonlySet<string> {
  return new Set(
    ["scope", "scp"].flatMap((name) => {
      const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
      if (typeof value === "string") return value.split(" ").filter(Boolean);
      return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
    }),
  );
}
