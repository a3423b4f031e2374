import type { ParsedDocument } from "@/lib/config/document";
import { addPart, type ConfigurationInput, type ConfigurationPart, type Rows } from "@/lib/config/read-in-parts";
import { ownedBuffer, runInThread } from "@/lib/threads/run-in-thread";

/** Milliseconds for each stage of the work on a draft after its document is parsed. */
export const DRAFT_MS = 2_000;
/**
 * Milliseconds for each stage of the work on a document, per MiB or part of one. The first document of a thread takes
 * longer, and a machine may be busy.
 */
const DEADLINE_MS = 5_000;
const MIB = 1024 * 1024;

/** The time limit of each stage of the work on a document of this size, in milliseconds: 5 s per MiB or part of one. */
export function documentDeadlineMs(bytes: number): number {
  return DEADLINE_MS * Math.max(1, Math.ceil(bytes / MIB));
}

interface Reading {
  /** Whether the document is merged, so that its rows may be incomplete. */
  readonly merges?: boolean;
  /** Stops the thread when the caller has left. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Parses a configuration document in a worker thread (`parseDocument`), because its author controls how long that takes.
 *
 * @throws AppError `request_timeout` when it takes too much time or memory; `overloaded`
 */
export async function parsedInThread(
  document: unknown,
  { merges = false, signal }: Reading = {},
): Promise<ParsedDocument> {
  const read: { document: Rows; stated: Rows } = { document: {}, stated: {} };
  const bytes =
    document instanceof Uint8Array ? document.byteLength : typeof document === "string" ? document.length : 0;
  const parsed = await runInThread<ParsedDocument, ConfigurationPart>({
    job: "configuration",
    input: { document, merges } satisfies ConfigurationInput,
    transfer: ownedBuffer(document),
    deadlineMs: documentDeadlineMs(bytes),
    signal,
    overrun: ["request_timeout", "Reading the document takes too long: send a smaller one."],
    take: (part) => addPart(read, part),
  });
  if (!parsed.ok) return parsed;
  return {
    ...parsed,
    document: { ...parsed.document, ...read.document } as typeof parsed.document,
    stated: { ...parsed.stated, ...read.stated },
  };
}
