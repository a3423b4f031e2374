import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import type { JsonObject } from "@/lib/access/configuration";
import { AppError } from "@/lib/errors";
import { importOpenApi } from "@/lib/sources/openapi/import-openapi";
import type { FromWorker, ToWorker } from "@/lib/sources/openapi/import-thread";
import { readOpenApi } from "@/lib/sources/openapi/read-document";
import { maskJson } from "@/lib/tools/credentials/mask";

// The thread that documents are read in (lib/sources/openapi/import-thread.ts): ten megabytes of YAML keep nobody else waiting.

/** Tools that are handed over at once: the other side copies them between its own work. */
const AT_ONCE = 50;

const { document, hidden, options } = workerData as ToWorker;
const port = parentPort;
if (port === null) throw new Error("lib/sources/openapi/import-thread.ts starts this as a thread.");
const say = (message: FromWorker) => port.postMessage(message);

try {
  const read = readOpenApi(typeof document === "string" ? document : new TextDecoder().decode(document));
  const { tools, ...rest } = importOpenApi(maskJson(read, hidden) as JsonObject, {
    ...options,
    progress: (done, total) => {
      if (done % AT_ONCE === 0) say({ kind: "progress", done, total });
    },
  });
  for (let at = 0; at < tools.length; at += AT_ONCE) {
    say({ kind: "tools", tools: tools.slice(at, at + AT_ONCE) });
    await once(port, "message");
  }
  say({ kind: "read", ...rest });
} catch (error) {
  if (!(error instanceof AppError)) throw error;
  const { code, message, errors } = error;
  say({ kind: "refused", code, message, errors });
}
