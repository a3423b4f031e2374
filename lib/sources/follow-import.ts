import { setTimeout as delay } from "node:timers/promises";
import { eventStream } from "@/lib/http/event-stream";
import { getImportJob } from "@/lib/store/import-jobs";

/** How often the store is asked, in milliseconds: any instance may run the import. */
const LOOK_MS = 250;

/**
 * An import as server-sent events: `progress` `{ status, done, total }` whenever one of them changed, and `result`
 * with the import and its plan as soon as it does not run any more.
 *
 * @throws AppError `not_found`
 */
export async function followImport(id: string): Promise<Response> {
  await getImportJob(id);
  return eventStream(async ({ send, left }) => {
    let told = "";
    while (!left.aborted) {
      const job = await getImportJob(id);
      const { status, done, total } = job;
      const progress = JSON.stringify([status, done, total]);
      if (progress !== told) send("progress", { status, done, total });
      told = progress;
      if (status !== "running") return send("result", job);
      await delay(LOOK_MS, undefined, { signal: left }).catch(() => {});
    }
  });
}
