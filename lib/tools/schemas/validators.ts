import { canonicalText } from "@/lib/access/canonical";
import type { Json, JsonObject } from "@/lib/access/configuration";
import { AppError } from "@/lib/errors";
import type { BuiltinTool } from "@/lib/tools/contract";
import type { SchemaProblem, Validate } from "@/lib/tools/schemas/schema-problem";
import { CostlySchema, sharedSchemaTrials } from "@/lib/tools/schemas/schema-trial";
import { compileTrusted } from "@/lib/tools/schemas/trusted-validator";
import { compileUntrusted } from "@/lib/tools/schemas/untrusted-validator";

const MAX_REMEMBERED = 1000;
/** For how long a schema counts as too costly, in milliseconds: the machine may have been busy. */
const COSTLY_MS = 60_000;

interface Remembered {
  readonly validate: Promise<Validate>;
  /** On the clock of `performance.now()`. */
  until: number;
}

const remembered = new Map<string, Remembered>();

/** What of a tool its validators depend on. */
interface Definition {
  readonly definitionHash: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

/**
 * Checks a value against a tool's input or output schema, compiled once per definition hash; none = it fits. The schemas
 * of our own code go through Ajv; whatever differs from them, even for a tool of ours, somebody else wrote: it is compiled
 * and first checked in a thread (`SchemaTrials`), and never here unless it stood that.
 *
 * @throws Error with one sentence when the schema cannot be used
 * @throws AppError `overloaded`, `internal` when it could not be tried
 */
export async function problemsOf(
  value: Json,
  tool: Definition,
  part: "inputSchema" | "outputSchema",
  builtin: BuiltinTool | undefined,
): Promise<readonly SchemaProblem[]> {
  const schema = tool[part];
  if (schema === null) return [];
  const key = `${tool.definitionHash}:${part}`;
  let known = remembered.get(key);
  if (known === undefined || known.until <= performance.now()) {
    known = remember(key, compile(schema, builtin?.[part], value));
  }
  return (await known.validate)(value);
}

function remember(key: string, validate: Promise<Validate>): Remembered {
  const known: Remembered = { validate, until: Number.POSITIVE_INFINITY };
  validate.catch((error: unknown) => {
    // What says nothing of the schema is not held against it.
    if (error instanceof AppError) known.until = 0;
    else if (error instanceof CostlySchema) known.until = performance.now() + COSTLY_MS;
  });
  remembered.delete(key);
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "");
  remembered.set(key, known);
  return known;
}

async function compile(schema: JsonObject, own: JsonObject | undefined, first: Json): Promise<Validate> {
  if (own !== undefined && canonicalText(own) === canonicalText(schema)) return compileTrusted(own);
  await sharedSchemaTrials().stand(schema, first);
  return compileUntrusted(schema);
}
