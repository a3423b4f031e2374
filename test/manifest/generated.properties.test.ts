import { Ajv2020 } from "ajv/dist/2020.js";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Json, JsonObject } from "@/lib/access/model/configuration";
import { withoutForcedNulls } from "@/lib/manifest/schema/forced-nulls";
import { toOpenAiStrict } from "@/lib/manifest/schema/openai-strict";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { LINTERS } from "@/test/manifest/lint";
import { args, inputSchema, sampleOf } from "@/test/manifest/schemas";
import { entryOf, renderManifest } from "@/test/manifest/tools";

const choices = fc.array(fc.nat(20), { minLength: 3, maxLength: 12 });
/** As many runs as a busy machine has time for. */
const RUNS = { seed: 23, numRuns: 400, interruptAfterTimeLimit: 8_000 };

/** The validator of calls, without the check of the schema itself: this test compiles thousands. */
const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  validateFormats: false,
  addUsedSchema: false,
  ownProperties: true,
});

/** Whether a value matches. A schema that does not compile, or refers to itself without end, accepts nothing. */
function accepts(schema: JsonObject, value: Json): boolean {
  try {
    return ajv.compile(structuredClone(schema))(value);
  } catch {
    return false;
  }
}

it.each(manifestFormat.options.filter((format) => format !== "native"))(
  "a schema of any kind breaks no published rule as %s",
  (format) => {
    fc.assert(
      fc.property(inputSchema, (schema) => {
        const { data, notes } = renderManifest(format, [entryOf(schema)]);
        expect(LINTERS[format](data)).toEqual([]);
        expect(data.length + notes.filter(({ kind }) => kind === "left_out").length).toBe(1);
      }),
      RUNS,
    );
  },
);

it("removes nothing from arguments that the tool's own schema accepts", () => {
  let changed = 0;
  fc.assert(
    fc.property(inputSchema, args, (schema, value) => {
      fc.pre(withoutForcedNulls(value, schema) !== value);
      changed += 1;
      expect(accepts(schema, value)).toBe(false);
    }),
    RUNS,
  );
  expect(changed).toBeGreaterThan(20);
});

it("accepts in strict mode nothing that the tool's own schema refuses once forced nulls are gone", () => {
  let accepted = 0;
  fc.assert(
    fc.property(inputSchema, choices, (schema, chosen) => {
      const strict = toOpenAiStrict(schema);
      fc.pre(strict.ok);
      const value = sampleOf(strict.schema, strict.schema, chosen) as JsonObject;
      fc.pre(accepts(strict.schema, value));
      accepted += 1;
      expect(accepts(schema, withoutForcedNulls(value, schema))).toBe(true);
    }),
    RUNS,
  );
  expect(accepted).toBeGreaterThan(20);
});
