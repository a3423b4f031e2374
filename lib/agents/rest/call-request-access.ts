import { z } from "zod";
import type { Json } from "@/lib/access/model/configuration";
import { REQUEST_ACCESS } from "@/lib/access/model/access-names";
import { answerRead, type ReadResult, type Run } from "@/lib/agents/rest/search-listing";
import { requestAccess } from "@/lib/calls/access/request";
import { accessTerms } from "@/lib/contracts/agents/access-request";
import type { Answer } from "@/lib/calls/pipeline/answer";
import { boundArguments } from "@/lib/calls/pipeline/argument-bounds";
import type { Call } from "@/lib/calls/pipeline/call";
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
  return answerRead(call, (context) => request(context, call.arguments), deps, run);
}

/** `null` when the caller has no tool to request: then the name is any other tool's. */
async function request(context: CallContext, args: Call["arguments"]): Promise<ReadResult | null> {
  if (context.resolution.requestable.length === 0) return null;
  const bounded = await stage(() => boundArguments(args));
  const read = bounded.ok ? accessArguments.safeParse(bounded.value) : null;
  if (read === null || !read.success) {
    const issue = read?.error?.issues[0];
    const message = `The arguments of \`${REQUEST_ACCESS}\` are not valid${issue === undefined ? "" : ` at ${issue.path.join(".")}: ${issue.message}`}.`;
    return { code: "invalid_arguments", message, reason: "invalid_arguments" };
  }
  const answer = await requestAccess(context, read.data);
  return "code" in answer ? answer : { output: answer as unknown as Json };
}
