import type { JsonObject } from "@/lib/access/configuration";
import type { ManifestEntry } from "@/lib/manifest/entries";
import { isStrictlyExpressible } from "@/lib/manifest/openai-strict";
import { toldDescription } from "@/lib/manifest/told-description";

/** A function as both of OpenAI's interfaces describe it. */
interface OpenAiFunction {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}

/** A tool of OpenAI's Responses API. */
export function toOpenAi(entry: ManifestEntry): OpenAiFunction & { readonly type: "function" } {
  return { type: "function", ...functionOf(entry) };
}

/** A tool of OpenAI's Chat Completions API. */
export function toOpenAiChat(entry: ManifestEntry): { readonly type: "function"; readonly function: OpenAiFunction } {
  return { type: "function", function: functionOf(entry) };
}

/** What strict mode cannot express is sent non-strict with its full schema: nothing is lost on the way. */
function functionOf(entry: ManifestEntry): OpenAiFunction {
  const { tool, exposedName } = entry.resolved;
  const parameters = { ...tool.inputSchema, type: "object" };
  return {
    name: exposedName,
    description: toldDescription(entry),
    parameters,
    strict: isStrictlyExpressible(parameters),
  };
}
