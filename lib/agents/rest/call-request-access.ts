import { z } from "zod";
import type { Json } from "@/lib/access/model/configuration";
import { REQUEST_ACCESS } from "@/lib/access/model/access-names";
import { callContextOf } from "@/lib/agents/rest/list";
import type { Run } from "@/lib/agents/rest/search-listing";
import { requestAccess } from "@/lib/calls/access/request";
import { accessTerms } from "@/lib/contracts/agents/access-request";
import { AppError } from "@/lib/errors";
import { answerer, type Answer } from "@/lib/calls/pipeline/answer";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import type { Call, Refusal } from "@/lib/calls/pipeline/call";
import type { CallContext } from "@/lib/calls/pipeline/call-context";
import type { Dependencies } from "@/lib/calls/pipeline/dependencies";
import { stage } from "@/lib/process/turn";

const accessArguments = z.strictObject({ tool: z.string().max(300), ...accessTerms });

/**
 * Runs a call of `request_access` for a caller who may request tools. `run` makes every other call, and logs refusals.
 * The request itself is in the table of requests, not in the log of calls.
 */
export async function callRequestAccess(call: Call, deps: Dependencies, run: Run): Promise<Answer> {
  if (call.name !== REQUEST_ACCESS) return run(call, deps);
  const refuse = (refused: Refusal) => run({ ...call, refused }, deps);
  const { caller, stated, sessionId, requestId } = call;
  let context: CallContext;
  try {
    context = await callContextOf(caller, stated, sessionId, { requestId });
  } catch (error) {
    if (error instanceof AppError) return refuse({ code: error.code, message: error.message, reason: error.code });
    throw error;
  }
  if (context.resolution.requestable.length === 0) return run(call, deps);
  const bounded = await stage(() => boundArguments(call.arguments));
  const read = bounded.ok ? accessArguments.safeParse(bounded.value) : null;
  if (read === null || !read.success) {
    const issue = read?.error?.issues[0];
    const message = `The arguments of \`${REQUEST_ACCESS}\` are not valid${issue === undefined ? "" : ` at ${issue.path.join(".")}: ${issue.message}`}.`;
    return refuse({ code: "invalid_arguments", message, reason: "invalid_arguments" });
  }
  const answer = await requestAccess(context, read.data);
  if ("code" in answer) return refuse(answer);
  const { state, revision } = context.resolution;
  const facts = { state: { before: state, after: state }, revision };
  return answerer(call, () => deps.now() - call.at).success(answer as unknown as Json, facts);
}
