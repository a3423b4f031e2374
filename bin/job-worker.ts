import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { readListPage } from "@/lib/calls/mcp/read-list-page";
import { readConfiguration } from "@/lib/config/read-in-parts";
import { AppError } from "@/lib/errors";
import { importMcpInParts } from "@/lib/sources/mcp/import-mcp";
import { readOpenApiInParts } from "@/lib/sources/openapi/read-in-parts";
import { readImportBody } from "@/lib/sources/import/read-import-body";
import { ownedBuffer, type FromThread, type ToThread } from "@/lib/threads/run-in-thread";

// The worker thread of lib/threads/run-in-thread.ts, which ends it after a timeout. Jobs are pure: they use no environment and no store.

const port = parentPort;
if (port === null) throw new Error("lib/threads/run-in-thread.ts starts this as a thread.");
const say = (message: FromThread, transfer: readonly ArrayBuffer[] = []) => port.postMessage(message, [...transfer]);

/** Sends one part of a job's result, and waits until the receiver has taken it. */
async function hand(part: unknown): Promise<void> {
  say({ kind: "part", part });
  await once(port as NonNullable<typeof port>, "message");
}

const JOBS: Readonly<Record<string, (input: never, give: typeof hand) => Promise<unknown>>> = {
  configuration: readConfiguration,
  openapi: readOpenApiInParts,
  mcp: importMcpInParts,
  mcpListPage: readListPage,
  importBody: readImportBody,
};

async function run({ job, input }: ToThread): Promise<void> {
  say({ kind: "began" });
  try {
    const work = JOBS[job];
    if (work === undefined) throw new Error(`there is no job \`${job}\``);
    const answer = await work(input as never, hand);
    say({ kind: "ended", answer }, Object.values(answer ?? {}).flatMap(ownedBuffer));
  } catch (error) {
    if (error instanceof AppError)
      say({ kind: "refused", code: error.code, message: error.message, errors: error.errors });
    else say({ kind: "broke", message: error instanceof Error ? error.message : String(error) });
  }
}

for (;;) {
  const [given] = (await once(port, "message")) as [ToThread];
  await run(given);
}
