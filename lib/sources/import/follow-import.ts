import { setTimeout as delay } from "node:timers/promises";
import { toAppError } from "@/lib/errors";
import { eventStream, type EventSink } from "@/lib/http/event-stream";
import { getImportJob, getImportText } from "@/lib/store/sources/import-jobs";
import { log } from "@/lib/telemetry/log";

/** Milliseconds between two reads of the store, because another instance may run the import. */
const POLL_MS = 250;

/**
 * Streams an import: `progress` `{ status, done, total }` at each change, then `result` with the import and its plan.
 * After a failed read it ends with `closed` `{ code, message }`. The import continues, so the client may follow it again.
 *
 * @throws AppError `not_found`
 */
export async function followImport(id: string): Promise<Response> {
  await getImportJob(id);
  return eventStream(async (sink) => {
    try {
      await sendProgress(id, sink);
    } catch (error) {
      // Without an event, the client would show stale progress.
      log.error({ err: error, id }, "The progress of an import could not be sent.");
      const { code, message } = toAppError(error);
      sink.end("closed", { code, message });
    }
  });
}

async function sendProgress(id: string, { send, sendSerialized, closed }: EventSink): Promise<void> {
  let sent = "";
  while (!closed.aborted) {
    const job = await getImportJob(id);
    const { status, done, total } = job;
    const progress = JSON.stringify([status, done, total]);
    if (progress !== sent) send("progress", { status, done, total });
    sent = progress;
    if (status !== "running" && status !== "applying") return sendSerialized("result", [await getImportText(id)]);
    await delay(POLL_MS, undefined, { signal: closed }).catch(() => {});
  }
}
