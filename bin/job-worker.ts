import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { AppError, messageOf } from "@/lib/errors";
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

/** A thread loads only the code of its jobs. */
const JOBS: Readonly<Record<string, () => Promise<(input: never, give: typeof hand) => Promise<unknown>>>> = {
  configuration: async () => (await import("@/lib/config/read-in-parts")).readConfiguration,
  openapi: async () => (await import("@/lib/sources/openapi/read-in-parts")).readOpenApiInParts,
  mcp: async () => (await import("@/lib/sources/mcp/import-mcp")).importMcpInParts,
  mcpListPage: async () => (await import("@/lib/calls/mcp/read-list-page")).readListPage,
  importBody: async () => (await import("@/lib/sources/import/read-import-body")).readImportBody,
};

async function run({ job, input }: ToThread): Promise<void> {
  try {
    const work = await JOBS[job]?.();
    if (work === undefined) throw new Error(`there is no job \`${job}\``);
    say({ kind: "began" });
    const answer = await work(input as never, hand);
    say({ kind: "ended", answer }, Object.values(answer ?? {}).flatMap(ownedBuffer));
  } catch (error) {
    if (error instanceof AppError)
      say({ kind: "refused", code: error.code, message: error.message, errors: error.errors });
    else say({ kind: "broke", message: messageOf(error) });
  }
}

for (;;) {
  const [given] = (await once(port, "message")) as [ToThread];
  await run(given);
}
