import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonObject } from "@/lib/access/model/configuration";
import { compileSchemaPattern } from "@/lib/calls/schemas/re2-pattern";
import { declaredNames, type SchemaProblem, type Validate } from "@/lib/calls/schemas/schema-problem";

/**
 * Compiles patterns with RE2. The options `code.source` and `code.process` stay unset: with them, `$id` becomes code.
 */
const regExp = Object.assign((pattern: string, flags: string) => compileSchemaPattern(pattern, flags), {
  code: "compileSchemaPattern",
});

/** Only for schemas in our own code (docs/reference/execution.md#schemas). `format` is not checked. */
const OPTIONS: Options = {
  ownProperties: true,
  allErrors: false,
  // Errors then carry their schema, whose property names the messages list.
  verbose: true,
  coerceTypes: false,
  useDefaults: false,
  $data: false,
  validateFormats: false,
  // A test checks our own schemas against their dialect. Here, compiling the dialect's schema would block the thread
  // for 30 ms.
  validateSchema: false,
  strict: false,
  code: { regExp: regExp as unknown as NonNullable<Options["code"]>["regExp"] & object },
};

const DRAFT_7 = /^http:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** Compiles a schema of our own code: JSON Schema 2020-12, or draft-07 when its `$schema` says so. */
export function compileTrusted(schema: JsonObject): Validate {
  const { $schema: dialect } = schema;
  const isDraft7 = typeof dialect === "string" && DRAFT_7.test(dialect);
  const ajv = isDraft7 ? new Ajv(OPTIONS) : new Ajv2020(OPTIONS);
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toProblem));
}

function toProblem(error: ErrorObject): SchemaProblem {
  const { additionalProperty, allowedValues } = error.params as {
    additionalProperty?: string;
    allowedValues?: readonly unknown[];
  };
  const more =
    additionalProperty !== undefined
      ? `: \`${additionalProperty}\`${declaredNames(error.parentSchema?.["properties"])}`
      : allowedValues !== undefined
        ? `: ${allowedValues.map((value) => JSON.stringify(value)).join(", ")}`
        : "";
  return { pointer: error.instancePath, message: `${error.message ?? error.keyword}${more}` };
}
