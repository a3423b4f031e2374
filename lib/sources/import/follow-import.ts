import { setTimeout as delay } from "node:timers/promises";
import { toAppError } from "@/lib/errors";
import { eventStream, type EventSink } from "@/lib/http/event-stream";
import { getImportJob, getImportText } from "@/lib/store/sources/import-jobs";
import { log } from "@/lib/telemetry/log";

/** How often the store is asked, in milliseconds: any instance may run the import. */
const LOOK_MS = 250;

/**
 * An import as server-sent events: `progress` `{ status, done, total }` whenever one of them changed, and `result`
 * with the import and its plan as soon as it does not run any more. When the store does not say how far it is, the last
 * event is `closed` `{ code, message }`: the import goes on without its reader, who comes back for it.
 *
 * @throws AppError `not_found`
 */
export async function followImport(id: string): Promise<Response> {
  await getImportJob(id);
  return eventStream(async (sink) => {
    try {
      await tell(id, sink);
    } catch (error) {
      // A stream that only ended would leave its reader with a bar that stands still.
      log.error({ err: error, id }, "How far an import is could not be told.");
      const { code, message } = toAppError(error);
      sink.end("closed", { code, message });
    }
  });
}

async function tell(id: string, { send, sendMade, left }: EventSink): Promise<void> {
  let told = "";
  while (!left.aborted) {
    const job = await getImportJob(id);
    const { status, done, total } = job;
    const progress = JSON.stringify([status, done, total]);
    if (progress !== told) send("progress", { status, done, total });
    told = progress;
    if (status !== "running" && status !== "applying") return sendMade("result", [await getImportText(id)]);
    await delay(LOOK_MS, undefined, { signal: left }).catch(() => {});
  }
}
