import { canonicalText } from "@/lib/access/canonical";
import type { JsonObject } from "@/lib/access/configuration";
import type { BuiltinTool } from "@/lib/tools/contract";
import type { Validate } from "@/lib/tools/schemas/schema-problem";
import { compileTrusted } from "@/lib/tools/schemas/trusted-validator";
import { compileUntrusted } from "@/lib/tools/schemas/untrusted-validator";

const MAX_REMEMBERED = 1000;
const remembered = new Map<string, Promise<Validate>>();

/** What of a tool its validators depend on. */
interface Definition {
  readonly definitionHash: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

/**
 * The validator of a tool's input or output, compiled once per definition hash. The schemas of our own code
 * go through Ajv; whatever differs from them, even for a tool of ours, somebody else wrote.
 *
 * @throws Error with one sentence when the schema cannot be used
 */
export function validatorOf(
  tool: Definition,
  part: "inputSchema" | "outputSchema",
  builtin: BuiltinTool | undefined,
): Promise<Validate> {
  const schema = tool[part];
  if (schema === null) return Promise.resolve(() => []);
  const key = `${tool.definitionHash}:${part}`;
  let validate = remembered.get(key);
  if (validate === undefined) {
    validate = compile(schema, builtin?.[part]);
    if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "");
    remembered.set(key, validate);
  }
  return validate;
}

async function compile(schema: JsonObject, own: JsonObject | undefined): Promise<Validate> {
  const isOwn = own !== undefined && canonicalText(own) === canonicalText(schema);
  return isOwn ? compileTrusted(own) : compileUntrusted(schema);
}
