import { appendFile, open, type FileHandle } from "node:fs/promises";
import { fromJson } from "@/lib/access/model/json";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import type { Outbound } from "@/lib/outbound/fetch";
import { getObject, putObject } from "@/lib/outbound/stored-object";
import { signedSeal, type SignedSeal } from "@/lib/contracts/log/seal";

/** A store of seals outside the database: a person who rolls the database back does not roll this back. */
export interface CheckpointStore {
  readonly add: (seal: SignedSeal) => Promise<void>;
  /** The newest of the last seals, without reading all of them; `null` when there are none. */
  readonly readLast: () => Promise<SignedSeal | null>;
  /** Every stored seal; a store at an address holds only the last one. */
  readonly read: () => Promise<readonly SignedSeal[]>;
}

/** The checkpoint stores that CHECKPOINT_FILE and CHECKPOINT_URL name; may be empty. */
export function checkpointStores(): readonly CheckpointStore[] {
  const { CHECKPOINT_FILE: file, CHECKPOINT_URL: url, CHECKPOINT_AUTHORIZATION: authorization } = env;
  return [
    ...(file === undefined ? [] : [checkpointFile(file)]),
    ...(url === undefined ? [] : [checkpointAddress(url, authorization)]),
  ];
}

/**
 * Reads every checkpoint of all stores. A file grows by a line each minute: only a verification needs all of them.
 * @throws AppError `conflict` that names a damaged line; errors of a store: unknown checkpoints cannot be verified
 */
export async function readCheckpoints(
  stores: readonly CheckpointStore[] = checkpointStores(),
): Promise<readonly SignedSeal[]> {
  return (await Promise.all(stores.map(({ read }) => read()))).flat();
}

/** The newest checkpoint of all stores. @throws errors of a store */
export async function readLastCheckpoint(): Promise<SignedSeal | null> {
  const last = await Promise.all(checkpointStores().map(({ readLast }) => readLast()));
  return newestOf(last.flatMap((seal) => seal ?? []));
}

/** The checkpoint with the highest number; `null` when there are none. */
export function newestOf(checkpoints: readonly SignedSeal[]): SignedSeal | null {
  return checkpoints.reduce<SignedSeal | null>(
    (newest, seal) => (newest === null || seal.number >= newest.number ? seal : newest),
    null,
  );
}

/** Ends a line that a crash or a full disk cut short: written bytes cannot be taken back. */
const CUT = " (cut short)";
/** Bytes at the end of a file that `readLast` reads: more than a hundred seals. */
const END_BYTES = 65_536;

/**
 * A file with one seal per line; best on another disk, with a file attribute that forbids shortening it (`chattr +a`).
 */
export function checkpointFile(path: string): CheckpointStore {
  return {
    add: async (seal) => {
      const line = `${JSON.stringify(seal)}\n`;
      await appendFile(path, (await endsWithinLine(path)) ? `${CUT}\n${line}` : line, { mode: 0o600, flush: true });
    },
    readLast: async () => newestOf(await readEnd(path)),
    read: async () => {
      try {
        return await readCheckpointFile(path);
      } catch (error) {
        if (isAbsent(error)) return [];
        throw error;
      }
    },
  };
}

/**
 * Reads every checkpoint of a file, in parts.
 * @throws AppError `conflict` that names an invalid line; errors of the file system, also when there is no file
 */
export async function readCheckpointFile(path: string): Promise<readonly SignedSeal[]> {
  const seals: SignedSeal[] = [];
  let number = 0;
  let rest = "";
  for await (const part of (await open(path)).createReadStream({ encoding: "utf8" })) {
    const lines = `${rest}${part as string}`.split("\n");
    // The text after the last line break is empty, is continued in the next part, or was cut short.
    rest = lines.pop() ?? "";
    for (const line of lines) seals.push(...parseLine(line, `Line ${(number += 1)} of the checkpoints`));
  }
  return seals;
}

async function readEnd(path: string): Promise<readonly SignedSeal[]> {
  const file = await openIfPresent(path);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - END_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(END_BYTES), 0, END_BYTES, start);
    const lines = buffer.toString("utf8", 0, bytesRead).split("\n").slice(0, -1);
    // The first line may have begun before.
    return lines.slice(start === 0 ? 0 : 1).flatMap((line) => parseLine(line, "A line at the end of the checkpoints"));
  } finally {
    await file.close();
  }
}

async function endsWithinLine(path: string): Promise<boolean> {
  const file = await openIfPresent(path);
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size > 0 && buffer.toString("latin1") !== "\n";
  } finally {
    await file.close();
  }
}

async function openIfPresent(path: string): Promise<FileHandle | null> {
  try {
    return await open(path);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

const isAbsent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** One object at an address, such as one in a bucket that keeps versions: PUT writes it, GET reads the last one. */
export function checkpointAddress(url: string, authorization: string | undefined, send?: Outbound): CheckpointStore {
  const objectStore = { setting: "CHECKPOINT_URL", authorization, send };
  const read = async () => {
    const bytes = await getObject(objectStore, url);
    const lines = bytes === null ? [] : Buffer.from(bytes).toString("utf8").split("\n").slice(0, -1);
    return lines.flatMap((line) => parseLine(line, "The checkpoint at CHECKPOINT_URL"));
  };
  return {
    add: (seal) => putObject(objectStore, url, "application/json", `${JSON.stringify(seal)}\n`),
    readLast: async () => newestOf(await read()),
    read,
  };
}

/** The seal of a line; none for a line that was cut short. @throws AppError `conflict` that names an invalid line */
function parseLine(line: string, name: string): readonly SignedSeal[] {
  if (line.endsWith(CUT)) return [];
  const parsed = signedSeal.safeParse(fromJson(line));
  if (!parsed.success)
    throw new AppError("conflict", `${name} is no seal. Restore it from a copy of the checkpoint store.`);
  return [parsed.data];
}

/** Whether a checkpoint store was read and holds something else than seals. */
export function isDamaged(error: unknown): boolean {
  return error instanceof AppError && error.code === "conflict";
}
