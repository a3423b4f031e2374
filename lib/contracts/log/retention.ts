import { z } from "zod";
import { signedSeal } from "@/lib/contracts/log/seal";

/** A month of the log, in UTC: a call belongs to the month in which it began. */
export const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "use a year and a month, such as 2026-01");

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** The first and the last of a run of numbers. */
const run = z.tuple([z.int().min(0), z.int().min(0)]);

/** Which sealed rows an archive holds: all of some seals, and of others some, by their place in the seal's list. */
export const archivedSeals = z.object({
  whole: z.array(run),
  mixed: z.array(z.object({ seal: z.int().min(1), rows: z.array(run) })),
});

/** What an archive of a month is; signed as seals are, over everything but the signature as canonical JSON. */
export const archiveManifest = z.object({
  id: z.string(),
  month,
  at: z.iso.datetime(),
  actor: z.string(),
  /** Intents and outcomes. */
  rows: z.int().min(0),
  bodies: z.int().min(0),
  /** Its files in order: gzipped lines of `archiveLine`. */
  parts: z.array(z.object({ name: z.string().regex(/^\d{5}\.jsonl\.gz$/), bytes: z.int(), sha256: hash })),
  seals: archivedSeals,
  keyId: z.string(),
  signature: z.string(),
});

/** A line of an archive. A seal comes before its rows, and a row before its bodies. */
export const archiveLine = z.discriminatedUnion("kind", [
  /** `hashes`: 32 bytes for each row of the seal, base64. */
  z.object({ kind: z.literal("seal"), seal: signedSeal, hashes: z.string() }),
  /** `record`: the canonical row, as it was sealed; `index`: its place in the seal. */
  z.object({ kind: z.literal("row"), seal: z.int(), index: z.int(), record: z.string() }),
  /** A body as it is stored, with the key of its commitment (base64); `null` where the row has no commitment. */
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

/** What is signed when a month is dropped. */
export const dropStatement = z.object({
  month,
  /** The archive that has its rows. */
  archive: z.string(),
  at: z.iso.datetime(),
  rows: z.int(),
  by: z.string(),
  keyId: z.string(),
});

/** The body of `POST executions/archives`. */
export const archiveInput = z.strictObject({ month });

/** Its answer: the list says how far it is. */
export const archiveAsked = z.object({ month });

/** An archive that was asked for. */
export const archiving = z.object({
  status: z.enum(["asked", "running", "done", "failed"]),
  /** Rows that are written, and rows in all. */
  done: z.int(),
  total: z.int(),
  error: z.string().nullable(),
});

/** How one month of the log stands. */
export const logMonth = z.object({
  month,
  /** Intents and outcomes; of a dropped month, those that its archive has. */
  rows: z.int(),
  /** Rows that no seal covers. */
  unsealed: z.int(),
  /** Whether it is over, and so can be archived. */
  over: z.boolean(),
  archive: z.object({ id: z.string(), at: z.iso.datetime(), by: z.string(), place: z.string() }).nullable(),
  archiving: archiving.nullable(),
  dropped: z.object({ at: z.iso.datetime(), by: z.string() }).nullable(),
  /** The day from which on it is dropped, once it is archived; `null` while months are kept for ever. */
  dropsFrom: z.iso.date().nullable(),
});

/** The answer of `GET executions/archives`: the newest month first. */
export const logMonths = z.object({
  months: z.array(logMonth),
  /** Where archives go; `null` = ARCHIVE_DIR and ARCHIVE_URL are not set. */
  place: z.string().nullable(),
});

/** What is answered, as `dropped`, about a call whose month is not in the log any more. */
export interface DroppedCall {
  readonly month: string;
  /** The archive that has it. */
  readonly archive: string;
  /** When the month was dropped (ISO 8601), and by whom. */
  readonly at: string;
  readonly by: string;
  /** What reads and proves the call there. */
  readonly command: string;
}

/** Which rows an archive holds. */
export type ArchivedSeals = z.output<typeof archivedSeals>;
/** What an archive is. */
export type ArchiveManifest = z.output<typeof archiveManifest>;
/** One line of it. */
export type ArchiveLine = z.output<typeof archiveLine>;
/** What is signed when a month is dropped. */
export type DropStatement = z.output<typeof dropStatement>;
/** How far an archive is. */
export type Archiving = z.output<typeof archiving>;
/** One month of the log. */
export type LogMonth = z.output<typeof logMonth>;
/** All of them. */
export type LogMonths = z.output<typeof logMonths>;
