import type { ReadImportBody } from "@/lib/sources/import/read-import-body";
import { ownedBuffer, runInThread } from "@/lib/threads/run-in-thread";

/** Milliseconds to read each started MiB of the body. */
const DEADLINE_MS = 2_000;
const MIB = 1024 * 1024;

/**
 * Reads the body of `POST imports` in a thread, because it may contain a large document.
 *
 * @param signal stops the thread when the caller has left
 * @throws AppError `invalid_request`, `request_timeout`, `overloaded`
 */
export async function importBodyInThread(body: Uint8Array, signal: AbortSignal): Promise<ReadImportBody> {
  const bytes = body.byteLength;
  return runInThread<ReadImportBody>({
    job: "importBody",
    input: { body },
    transfer: ownedBuffer(body),
    deadlineMs: DEADLINE_MS * Math.max(1, Math.ceil(bytes / MIB)),
    signal,
    overrun: ["request_timeout", "Reading the body takes too long: send a smaller document."],
  });
}
