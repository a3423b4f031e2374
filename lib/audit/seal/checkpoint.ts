import { appendFile, open, readFile } from "node:fs/promises";
import { fromJson } from "@/lib/access/model/json";
import { env } from "@/lib/env";
import type { Outbound } from "@/lib/outbound/fetch";
import { getObject, putObject } from "@/lib/outbound/stored-object";
import { signedSeal, type SignedSeal } from "@/lib/contracts/log/seal";

/** A store of seals outside the database: a person who rolls the database back does not roll this back. */
export interface CheckpointStore {
  /** Adds a seal. */
  readonly add: (seal: SignedSeal) => Promise<void>;
  /** The stored seals; a store at an address holds only the last one. */
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
 * Reads the checkpoints of all stores.
 * @throws Error that names an unreadable store: unknown checkpoints cannot be verified
 */
export async function readCheckpoints(
  stores: readonly CheckpointStore[] = checkpointStores(),
): Promise<readonly SignedSeal[]> {
  return (await Promise.all(stores.map(({ read }) => read()))).flat();
}

/** The checkpoint with the highest number; `null` when there are none. */
export function newestOf(checkpoints: readonly SignedSeal[]): SignedSeal | null {
  return checkpoints.reduce<SignedSeal | null>(
    (newest, seal) => (newest === null || seal.number >= newest.number ? seal : newest),
    null,
  );
}

/** Ends a line that a crash or a full disk cut short: written bytes cannot be taken back. */
const CUT = " (cut short)\n";

/**
 * A file with one seal per line; best on another disk, with a file attribute that forbids shortening it (`chattr +a`).
 */
export function checkpointFile(path: string): CheckpointStore {
  return {
    add: async (seal) => {
      const line = `${JSON.stringify(seal)}\n`;
      await appendFile(path, (await endsWithinLine(path)) ? CUT + line : line, { mode: 0o600, flush: true });
    },
    read: async () => {
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      });
      return parseCheckpoints(text);
    },
  };
}

async function endsWithinLine(path: string): Promise<boolean> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return false;
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1));
    return size > 0 && buffer.toString("latin1") !== "\n";
  } finally {
    await file.close();
  }
}

/** One object at an address, such as one in a bucket that keeps versions: PUT writes it, GET reads the last one. */
export function checkpointAddress(url: string, authorization: string | undefined, send?: Outbound): CheckpointStore {
  const objectStore = { setting: "CHECKPOINT_URL", authorization, send };
  return {
    add: (seal) => putObject(objectStore, url, "application/json", `${JSON.stringify(seal)}\n`),
    read: async () => {
      const bytes = await getObject(objectStore, url);
      return bytes === null ? [] : parseCheckpoints(Buffer.from(bytes).toString("utf8"));
    },
  };
}

/**
 * Parses checkpoints, one per line. Ignores a line that was cut short.
 * @throws Error that names an invalid line
 */
export function parseCheckpoints(text: string): SignedSeal[] {
  // The text after the last line break is empty, or was cut short.
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line, index) => {
      if (`${line}\n`.endsWith(CUT)) return [];
      const parsed = signedSeal.safeParse(fromJson(line));
      if (!parsed.success) throw new Error(`Line ${index + 1} of the checkpoints is no seal.`);
      return [parsed.data];
    });
}
