import { canonicalText } from "@/lib/access/model/canonical";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { BuiltinTool } from "@/lib/calls/pipeline/contract";
import { BudgetSpent, type CheckBudget } from "@/lib/calls/schemas/check-budget";
import type { SchemaProblem, Validate } from "@/lib/calls/schemas/schema-problem";
import { CostlySchema, sharedSchemaTrials, type Trial } from "@/lib/calls/schemas/schema-trial";
import { compileTrusted } from "@/lib/calls/schemas/trusted-validator";
import { compileProved } from "@/lib/calls/schemas/untrusted-validator";

const MAX_REMEMBERED = 1000;
/** How long a schema counts as too costly, in milliseconds. The limit exists because the machine may have been busy. */
const COSTLY_MS = 60_000;

/** The budget of a check in the serving thread. Larger checks run in the schema thread. */
const LOCAL_BUDGET: CheckBudget = { milliseconds: 10, patternSteps: 100_000 };
/** A schema that took the thread longer to compile, in milliseconds, is never compiled here. */
const MAX_COMPILE_MS = 30;
/** After this many checks in a row that spend their budget, the schema thread checks the values for a while. */
const MAX_OVERRUNS = 3;
/** A value with more members and items, or more characters in its texts, is never checked here. */
const MAX_NODES = 10_000;
const MAX_CHARACTERS = 128 * 1024;

interface Remembered {
  /** Checks values here; `null` = they are checked in the thread. */
  readonly validate: Promise<Validate | null>;
  /** Until when the entry is valid, on the clock of `performance.now()`. */
  until: number;
  /** Checks in a row that spent their budget in the serving thread. */
  overruns: number;
  /** Until when the schema thread checks the values, on the same clock: checks in the serving thread took too long. */
  costlyUntil: number;
}

const remembered = new Map<string, Remembered>();

/** The fields of a tool that its validators depend on. */
interface Definition {
  readonly definitionHash: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
}

/**
 * Checks a value against a tool's input or output schema, compiled once per definition hash; none = it fits. The schemas
 * of our own code use Ajv. All others are untrusted: they are compiled and first checked in a
 * thread (`SchemaTrials`). Later values are checked here when they are small and a check takes a few milliseconds.
 *
 * @throws Error with one sentence when the schema cannot be used, or the value cannot be checked
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
  const known = remembered.get(key);
  if (known === undefined || known.until <= performance.now()) return checkFirst(key, schema, builtin?.[part], value);
  const validate = await known.validate;
  if (validate !== null && known.costlyUntil <= performance.now()) {
    try {
      const problems = validate(value);
      known.overruns = 0;
      return problems;
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      known.overruns += 1;
      if (known.overruns % MAX_OVERRUNS === 0) known.costlyUntil = performance.now() + COSTLY_MS;
    }
  }
  return problemsIn(await sharedSchemaTrials().check(schema, value));
}

/** The first check of a schema. It decides where later values are checked. */
async function checkFirst(
  key: string,
  schema: JsonObject,
  own: JsonObject | undefined,
  value: Json,
): Promise<readonly SchemaProblem[]> {
  if (own !== undefined && canonicalText(own) === canonicalText(schema)) {
    const validate = compileTrusted(own);
    remember(key, Promise.resolve(validate));
    return validate(value);
  }
  const trial = sharedSchemaTrials().check(schema, value);
  remember(
    key,
    trial.then(({ compileMs }) => (compileMs > MAX_COMPILE_MS ? null : compileHere(schema))),
  );
  return problemsIn(await trial);
}

function remember(key: string, validate: Promise<Validate | null>): void {
  const known: Remembered = { validate, until: Infinity, overruns: 0, costlyUntil: 0 };
  validate.catch((error: unknown) => {
    // An error that is not about the schema does not count against it.
    if (error instanceof AppError) known.until = 0;
    else if (error instanceof CostlySchema) known.until = performance.now() + COSTLY_MS;
  });
  remembered.delete(key);
  if (remembered.size >= MAX_REMEMBERED) remembered.delete(remembered.keys().next().value ?? "");
  remembered.set(key, known);
}

async function compileHere(schema: JsonObject): Promise<Validate> {
  const validate = await compileProved(schema);
  return (value) => {
    if (!isSmall(value)) throw new BudgetSpent("the value is too large to be checked here");
    return validate(value, LOCAL_BUDGET);
  };
}

function problemsIn(trial: Trial): readonly SchemaProblem[] {
  if (trial.how === "uncheckable") throw new Error(trial.problem);
  return trial.problems;
}

/** Whether a value is small. A keyword's work on the whole value cannot be interrupted. */
function isSmall(value: Json): boolean {
  let nodes = 0;
  let characters = 0;
  const stack: Json[] = [value];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    nodes += 1;
    if (typeof at === "string") characters += at.length;
    else if (Array.isArray(at)) {
      nodes += at.length;
      if (nodes <= MAX_NODES) stack.push(...(at as readonly Json[]));
    } else if (typeof at === "object" && at !== null)
      for (const [name, member] of Object.entries(at)) {
        nodes += 1;
        characters += name.length;
        if (nodes > MAX_NODES) return false;
        stack.push(member);
      }
    if (nodes > MAX_NODES || characters > MAX_CHARACTERS) return false;
  }
  return true;
}
