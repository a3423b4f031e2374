import * as Browser from "@hyperjump/browser";
import { removeUriSchemePlugin } from "@hyperjump/browser";
import "@hyperjump/json-schema/draft-07";
import {
  registerSchema,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
  validate as compile,
  type OutputUnit,
  type SchemaObject,
} from "@hyperjump/json-schema/draft-2020-12";
import { addKeyword, Validation, type Keyword } from "@hyperjump/json-schema/experimental";
import * as Instance from "@hyperjump/json-schema/instance/experimental";
import { randomUUID } from "node:crypto";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { spend, spendSteps, withinBudget, type CheckBudget } from "@/lib/calls/schemas/check-budget";
import { problemOfSchema } from "@/lib/calls/schemas/schema-bounds";
import { compileSchemaPattern, type SchemaPattern } from "@/lib/calls/schemas/re2-pattern";
import { declaredNames, MAX_PROBLEMS, type SchemaProblem } from "@/lib/calls/schemas/schema-problem";

const DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema";

// Nothing that a schema names is ever fetched or read from disk.
for (const scheme of ["http", "https", "file"]) removeUriSchemePlugin(scheme);
setShouldValidateFormat(false);

// The package compiles the patterns of three keywords with JavaScript's engine, which may never end.

const pattern: Keyword<SchemaPattern> = {
  id: "https://json-schema.org/keyword/pattern",
  compile: async (schema) => compileSchemaPattern(Browser.value<string>(schema)),
  interpret: (compiled, instance) =>
    Instance.typeOf(instance) !== "string" || matches(compiled, Instance.value<string>(instance)),
};
addKeyword(pattern);

/** The part of a validation's context that the annotation of evaluated properties needs. */
interface EvaluationContext {
  readonly evaluatedProperties?: Set<string>;
}

const patternProperties: Keyword<[SchemaPattern, string][]> = {
  id: "https://json-schema.org/keyword/patternProperties",
  compile: async (schema, ast, parentSchema) => {
    const compiled: [SchemaPattern, string][] = [];
    for await (const [text, value] of Browser.entries(schema))
      compiled.push([compileSchemaPattern(text), await Validation.compile(value as typeof schema, ast, parentSchema)]);
    return compiled;
  },
  interpret: (compiled, instance, context) => {
    if (Instance.typeOf(instance) !== "object") return true;
    let valid = true;
    for (const [test, schemaUri] of compiled)
      for (const [nameNode, value] of Instance.entries(instance)) {
        const name = Instance.value<string>(nameNode);
        if (!matches(test, name)) continue;
        if (!Validation.interpret(schemaUri, value, context)) valid = false;
        (context as EvaluationContext).evaluatedProperties?.add(name);
      }
    return valid;
  },
  simpleApplicator: true,
};
addKeyword(patternProperties);

interface AdditionalProperties {
  readonly names: ReadonlySet<string>;
  readonly patterns: readonly SchemaPattern[];
  readonly schemaUri: string;
}

const additionalProperties: Keyword<AdditionalProperties> = {
  id: "https://json-schema.org/keyword/additionalProperties",
  compile: async (schema, ast, parentSchema) => {
    const { properties, patternProperties: patterned } =
      Browser.value<Record<string, object | undefined>>(parentSchema);
    return {
      names: new Set(Object.keys(properties ?? {})),
      patterns: Object.keys(patterned ?? {}).map((text) => compileSchemaPattern(text)),
      schemaUri: await Validation.compile(schema, ast, parentSchema),
    };
  },
  interpret: ({ names, patterns, schemaUri }, instance, context) => {
    if (Instance.typeOf(instance) !== "object") return true;
    let valid = true;
    for (const [nameNode, value] of Instance.entries(instance)) {
      const name = Instance.value<string>(nameNode);
      if (names.has(name) || patterns.some((test) => matches(test, name))) continue;
      if (!Validation.interpret(schemaUri, value, context)) valid = false;
      (context as EvaluationContext).evaluatedProperties?.add(name);
    }
    return valid;
  },
  simpleApplicator: true,
};
addKeyword(additionalProperties);

function matches(compiled: SchemaPattern, text: string): boolean {
  spendSteps(compiled.steps(text));
  return compiled.test(text);
}

// Every subschema of every keyword is entered here. The package may outlive this module, as in tests: then only the newest
// copy spends, and a step does not grow by one frame for each.
const packaged = Validation as typeof Validation & { original?: typeof Validation.interpret };
const interpret = (packaged.original ??= Validation.interpret);
Validation.interpret = (...step) => {
  spend();
  return interpret(...step);
};

/** Checks one value; none = it fits. At most `MAX_PROBLEMS`. @throws BudgetSpent */
export type UntrustedValidate = (value: Json, budget?: CheckBudget) => readonly SchemaProblem[];

/** The default time for a check: in the thread, and in tests. */
const DEFAULT_BUDGET: CheckBudget = { milliseconds: 1_000, patternSteps: 16_000_000 };

/**
 * Compiles a schema that somebody imported or typed, without generating code: bounded before it is touched, patterns
 * through RE2, nothing fetched.
 *
 * @throws Error with one sentence when the schema cannot be used; its tool then cannot be called
 */
export async function compileUntrusted(schema: JsonObject): Promise<UntrustedValidate> {
  const problem = problemOfSchema(schema);
  if (problem !== null) throw new Error(problem);
  const address = `urn:uuid:${randomUUID()}`;
  registerSchema(structuredClone(schema) as SchemaObject, address, DEFAULT_DIALECT);
  try {
    const validate = await compile(address);
    return (value, budget = DEFAULT_BUDGET) =>
      withinBudget(budget, () => {
        const output = validate(value as Parameters<typeof validate>[0], "BASIC");
        return output.valid ? [] : toProblems(output.errors ?? [], schema, value);
      });
  } finally {
    unregisterSchema(address);
  }
}

/** Compiles a schema that the thread has compiled already: it is not checked against its dialect again. */
export async function compileProved(schema: JsonObject): Promise<UntrustedValidate> {
  setShouldValidateSchema(false);
  try {
    return await compileUntrusted(schema);
  } finally {
    setShouldValidateSchema(true);
  }
}

/** The innermost failures: the schemas around them only repeat that something failed. */
function toProblems(errors: readonly OutputUnit[], schema: JsonObject, value: Json): SchemaProblem[] {
  const innermost = withoutUnmeant(errors).filter((error) => !AROUND.has(keywordOf(error)));
  const all = (innermost.length === 0 ? errors : innermost).flatMap((error) => {
    spend();
    const pointer = decodeURIComponent(error.instanceLocation.replace(/^[^#]*#/, ""));
    return messagesOf(error, schema, valueAt(value, pointer)).map((message) => ({ pointer, message }));
  });
  const problems = new Map(all.map((problem) => [`${problem.pointer} ${problem.message}`, problem]));
  return [...problems.values()].slice(0, MAX_PROBLEMS);
}

/** The failure in one of several schemas: their place, the failing one, and the place in it. */
const IN_UNION = /^(.*\/(?:oneOf|anyOf))\/(\d+)(.*)$/;

/** A member whose constant value selects one of several schemas. */
const MARK = /^\/properties\/[^/]+\/(const|enum)$/;

/** When a mark selects one of several schemas, only the failures of that schema are kept. */
function withoutUnmeant(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const placed = errors.map((error) => {
    spend();
    const [, union = "", branch = "", rest = ""] = IN_UNION.exec(error.absoluteKeywordLocation) ?? [];
    return { error, union, branch: `${union}/${branch}`, marksAnother: MARK.test(rest) };
  });
  const unmeant = new Set(placed.filter(({ marksAnother }) => marksAnother).map(({ branch }) => branch));
  const meant = new Set(placed.filter(({ branch }) => !unmeant.has(branch)).map(({ union }) => union));
  const isBeside = ({ union, branch }: (typeof placed)[number]) => unmeant.has(branch) && meant.has(union);
  const decided = new Set(placed.filter(isBeside).map(({ union }) => union));
  const left = placed.filter((one) => !isBeside(one) && !decided.has(one.error.absoluteKeywordLocation));
  return left.map(({ error }) => error);
}

const AROUND: ReadonlySet<string> = new Set([
  "validate",
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "patternProperties",
  "allOf",
  "ref",
  "then",
  "else",
]);

function keywordOf(error: OutputUnit): string {
  return error.keyword.slice(error.keyword.lastIndexOf("/") + 1);
}

/** The messages of a failed keyword: one sentence, or one for each missing property. */
function messagesOf(error: OutputUnit, schema: JsonObject, instance: Json | undefined): string[] {
  const pointer = decodeURIComponent(error.absoluteKeywordLocation.replace(/^[^#]*#/, ""));
  const expected = valueAt(schema, pointer);
  if (expected === false) return [`is not allowed here${declaredBeside(schema, pointer)}`];
  const keyword = keywordOf(error);
  if (Array.isArray(expected)) {
    if (keyword === "oneOf" || keyword === "anyOf")
      return [
        `must satisfy \`${keyword}\`: ${keyword === "oneOf" ? "exactly" : "at least"} one of its ${expected.length} schemas`,
      ];
    if (keyword === "required" && typeof instance === "object" && instance !== null)
      return missingOf(expected, instance);
  }
  const text = expected === undefined ? "" : `: ${JSON.stringify(expected).slice(0, 200)}`;
  return [`must satisfy \`${keyword}\`${text}`];
}

/** The names that the object around a refused property declares; empty where `false` stands for another reason. */
function declaredBeside(schema: JsonObject, pointer: string): string {
  const [, parent] = /^(.*)\/additionalProperties$/.exec(pointer) ?? [];
  return parent === undefined ? "" : declaredNames(valueAt(schema, `${parent}/properties`));
}

/** The missing properties, worded as by the validator of our own schemas. */
function missingOf(required: readonly Json[], instance: object): string[] {
  return required
    .filter((name) => typeof name === "string" && !Object.hasOwn(instance, name))
    .slice(0, MAX_PROBLEMS)
    .map((name) => `must have required property '${String(name).slice(0, 200)}'`);
}

function valueAt(schema: Json, pointer: string): Json | undefined {
  let value: Json | undefined = schema;
  for (const step of pointer.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return undefined;
    const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
  }
  return value;
}
