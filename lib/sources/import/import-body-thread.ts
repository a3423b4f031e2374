import { AppError } from "@/lib/errors";
import type { ReadImportBody } from "@/lib/sources/import/read-import-body";
import { runInThread, ThreadOverrun } from "@/lib/threads/run-in-thread";

/** How long reading a body of at most 1 MiB may take, in milliseconds; a larger one as much for each MiB. */
const DEADLINE_MS = 2_000;
const MIB = 1024 * 1024;

/**
 * The body of `POST imports`, read in a thread: it may weigh as much as a document.
 *
 * @throws AppError `invalid_request`, `request_timeout`, `overloaded`
 */
export async function importBodyInThread(body: Uint8Array): Promise<ReadImportBody> {
  try {
    return await runInThread<ReadImportBody>({
      job: "importBody",
      input: { body },
      deadlineMs: DEADLINE_MS * Math.max(1, Math.ceil(body.byteLength / MIB)),
    });
  } catch (cause) {
    if (!(cause instanceof ThreadOverrun)) throw cause;
    throw new AppError("request_timeout", "The body takes too long to read: send a smaller document.", { cause });
  }
}
