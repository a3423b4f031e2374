import { z } from "zod";
import { signedSeal } from "@/lib/contracts/log/seal";

/** A month of the log, in UTC. A call belongs to the month in which it began, an audit event to that in which it happened. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "use a year and a month, such as 2026-01");

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** The first and the last number of a run. */
const run = z.tuple([z.int().min(0), z.int().min(0)]);

/** The sealed rows of an archive: all rows of some seals, and some rows of others, by their index in the seal. */
const archivedSeals = z.object({
  whole: z.array(run),
  mixed: z.array(z.object({ seal: z.int().min(1), rows: z.array(run) })),
});

/** The description of a month's archive. Signed like seals, over everything except the signature as canonical JSON. */
export const archiveManifest = z.object({
  id: z.string(),
  month,
  at: z.iso.datetime(),
  actor: z.string(),
  /** The number of intents, outcomes and audit events. */
  rows: z.int().min(0),
  bodies: z.int().min(0),
  /** The archive's files in order: gzipped lines of `archiveLine`. */
  parts: z.array(z.object({ name: z.string().regex(/^\d{5}\.jsonl\.gz$/), bytes: z.int(), sha256: hash })),
  seals: archivedSeals,
  keyId: z.string(),
  signature: z.string(),
});

/** A line of an archive. A seal comes before its rows, and a row before its bodies. */
export const archiveLine = z.discriminatedUnion("kind", [
  /** `hashes`: 32 bytes for each row of the seal, base64. */
  z.object({ kind: z.literal("seal"), seal: signedSeal, hashes: z.string() }),
  /** `record`: the canonical row, as it was sealed; `index`: its index in the seal. */
  z.object({ kind: z.literal("row"), seal: z.int(), index: z.int(), record: z.string() }),
  /** A body as it is stored, with the key of its commitment (base64). A body without a key is a defect: no row commits to it. */
  z.object({
    kind: z.literal("body"),
    callId: z.string(),
    part: z.enum(["arguments", "result"]),
    text: z.string(),
    digest: z.string(),
    sha256: z.string().nullable(),
    bytes: z.int().nullable(),
    key: z.string().nullable(),
  }),
]);

/** The statement that is signed when a month is dropped. */
const dropStatement = z.object({
  month,
  /** The archive that holds the month's rows. */
  archive: z.string(),
  at: z.iso.datetime(),
  rows: z.int(),
  by: z.string(),
  keyId: z.string(),
});

/** The body of `POST executions/archives`. */
export const archiveInput = z.strictObject({ month });

/** The answer of `POST executions/archives`; the list shows the progress. */
export const archiveRequested = z.object({ month });

/** A requested archive. */
const archiving = z.object({
  status: z.enum(["asked", "running", "done", "failed"]),
  /** The number of written rows, and of all rows. */
  done: z.int(),
  total: z.int(),
  error: z.string().nullable(),
});

/** The status of one month of the log. */
const logMonth = z.object({
  month,
  /** Intents, outcomes and audit events; for a dropped month, those in its archive. */
  rows: z.int(),
  /** Rows that no seal covers. */
  unsealed: z.int(),
  /** Whether the month has ended and can be archived. */
  over: z.boolean(),
  archive: z.object({ id: z.string(), at: z.iso.datetime(), by: z.string(), place: z.string() }).nullable(),
  archiving: archiving.nullable(),
  dropped: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
  /** The first day on which the month is dropped, once archived; `null` when months are kept for ever. */
  dropsFrom: z.iso.date().nullable(),
});

/** The answer of `GET executions/archives`: the newest month first. */
export const logMonths = z.object({
  months: z.array(logMonth),
  /** The location of archives; `null` when ARCHIVE_DIR and ARCHIVE_URL are not set. */
  place: z.string().nullable(),
});

/** The answer, as `dropped`, about a call whose month is no longer in the log. */
export interface DroppedCall {
  readonly month: string;
  /** The archive that holds the call. */
  readonly archive: string;
  /** When the month was dropped (ISO 8601), and by whom. */
  readonly at: string;
  readonly by: string;
  /** The command that reads and proves the call from the archive. */
  readonly command: string;
}

/** The rows of an archive. */
export type ArchivedSeals = z.output<typeof archivedSeals>;
/** The description of an archive. */
export type ArchiveManifest = z.output<typeof archiveManifest>;
/** One line of an archive. */
export type ArchiveLine = z.output<typeof archiveLine>;
/** The statement that is signed when a month is dropped. */
export type DropStatement = z.output<typeof dropStatement>;
/** The progress of an archive. */
export type Archiving = z.output<typeof archiving>;
/** One month of the log. */
export type LogMonth = z.output<typeof logMonth>;
/** All months of the log. */
export type LogMonths = z.output<typeof logMonths>;
