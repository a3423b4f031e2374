import { parentPort } from "node:worker_threads";
import type { Json } from "@/lib/access/model/configuration";
import { BudgetSpent } from "@/lib/calls/schemas/check-budget";
import type { FromWorker, Ended, ToWorker } from "@/lib/calls/schemas/schema-trial";
import { compileUntrusted, type UntrustedValidate } from "@/lib/calls/schemas/untrusted-validator";

// The thread that checks values against other people's schemas (lib/calls/schemas/schema-trial.ts), which ends it when a check takes too long.

const port = parentPort;
if (port === null) throw new Error("lib/calls/schemas/schema-trial.ts starts this as a thread.");
const say = (message: FromWorker) => port.postMessage(message);

/** Steps of one pattern match, about a second's worth. */
const PATTERN_STEPS = 16_000_000;
const MAX_COMPILED = 50;
/** A compilation that takes longer, in milliseconds, is done twice. */
const COLD_MS = 25;
/** Validators by their schema's text, the latest last. */
const compiled = new Map<string, UntrustedValidate>();

// The first schema of a dialect pays for reading the dialect: not one of theirs, with the clock running.
for (const dialect of ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"])
  (await compileUntrusted({ $schema: dialect, type: "object" }))({});

port.on("message", async ({ schema, value: text, milliseconds }: ToWorker) => {
  const value = JSON.parse(text) as Json;
  say({ kind: "began" });
  say({ kind: "ended", ...(await check(schema, value, milliseconds)) });
});

async function check(schema: ToWorker["schema"], value: Json, milliseconds: number): Promise<Ended> {
  const started = performance.now();
  let validate;
  try {
    validate = await validatorOf(schema);
  } catch (error) {
    return { how: "unusable", problem: error instanceof Error ? error.message : "the schema does not compile" };
  }
  let compileMs = performance.now() - started;
  if (compileMs > COLD_MS && compileMs < 4 * COLD_MS) {
    // A thread that has just started, or a busy machine: the second time says what the schema takes.
    const again = performance.now();
    await compileUntrusted(schema);
    compileMs = Math.min(compileMs, performance.now() - again);
  }
  try {
    return { how: "checked", problems: validate(value, { milliseconds, patternSteps: PATTERN_STEPS }), compileMs };
  } catch (error) {
    if (error instanceof BudgetSpent && performance.now() - started >= milliseconds)
      return { how: "costly", problem: `the schema takes longer than ${milliseconds} ms` };
    return {
      how: "uncheckable",
      problem: error instanceof Error ? error.message : "the value cannot be checked",
      compileMs,
    };
  }
}

async function validatorOf(schema: ToWorker["schema"]): Promise<UntrustedValidate> {
  const text = JSON.stringify(schema);
  const validate = compiled.get(text) ?? (await compileUntrusted(schema));
  compiled.delete(text);
  if (compiled.size >= MAX_COMPILED) compiled.delete(compiled.keys().next().value ?? "");
  compiled.set(text, validate);
  return validate;
}
