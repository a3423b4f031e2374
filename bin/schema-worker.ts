import { parentPort } from "node:worker_threads";
import type { Json } from "@/lib/access/configuration";
import type { FromWorker, ToWorker } from "@/lib/tools/schemas/schema-trial";
import { compileUntrusted } from "@/lib/tools/schemas/untrusted-validator";

// The thread that other people's schemas are tried in (lib/tools/schemas/schema-trial.ts), which ends it when one takes too long.

const port = parentPort;
if (port === null) throw new Error("lib/tools/schemas/schema-trial.ts starts this as a thread.");
const say = (message: FromWorker) => port.postMessage(message);

// The first schema of a dialect pays for reading the dialect: not one of theirs, with the clock running.
for (const dialect of ["https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"])
  (await compileUntrusted({ $schema: dialect, type: "object" }))({});

port.on("message", async ({ schema, value: text }: ToWorker) => {
  const value = JSON.parse(text) as Json;
  say({ kind: "began" });
  say({ kind: "ended", problem: await problemOf(schema, value) });
});

async function problemOf(schema: ToWorker["schema"], value: Json): Promise<string | null> {
  let validate;
  try {
    validate = await compileUntrusted(schema);
  } catch (error) {
    return error instanceof Error ? error.message : "the schema does not compile";
  }
  try {
    validate(value);
  } catch {
    // A value that cannot be checked says nothing of the schema; the main thread refuses it in its turn.
  }
  return null;
}
