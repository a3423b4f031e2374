import { parentPort } from "node:worker_threads";
import type { Json } from "@/lib/access/model/configuration";
import { BudgetSpent } from "@/lib/calls/schemas/check-budget";
import type { FromWorker, Ended, ToWorker } from "@/lib/calls/schemas/schema-trial";
import { compileUntrusted, type UntrustedValidate } from "@/lib/calls/schemas/untrusted-validator";
import { messageOf } from "@/lib/errors";

// The thread that checks values against schemas of upstreams (lib/calls/schemas/schema-trial.ts), which ends it after a timeout.

const port = parentPort;
if (port === null) throw new Error("lib/calls/schemas/schema-trial.ts starts this as a thread.");
const say = (message: FromWorker) => port.postMessage(message);

/** The most steps of one pattern match; they take about a second. */
const PATTERN_STEPS = 16_000_000;
const MAX_COMPILED = 50;
/** Milliseconds after which a compilation is measured a second time. */
const COLD_MS = 25;
/** Validators by their schema's text, the most recently used last. */
const compiled = new Map<string, UntrustedValidate>();

// Reading a dialect takes long at its first schema. It happens here, so that no caller's schema is charged for it.
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
    return { how: "unusable", problem: messageOf(error) };
  }
  let compileMs = performance.now() - started;
  if (compileMs > COLD_MS && compileMs < 4 * COLD_MS) {
    // The first measurement also counts a cold thread or a busy machine; the second measures the schema alone.
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
      problem: messageOf(error),
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
