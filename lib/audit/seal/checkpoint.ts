import { appendFile, open, readFile } from "node:fs/promises";
import { env } from "@/lib/env";
import type { Outbound } from "@/lib/outbound/fetch";
import { getObject, putObject } from "@/lib/outbound/stored-object";
import { signedSeal, type SignedSeal } from "@/lib/contracts/log/seal";

/** Where seals are remembered besides the database: whoever turns that back, does not turn this back. */
export interface CheckpointPlace {
  /** Adds one. */
  readonly add: (seal: SignedSeal) => Promise<void>;
  /** Those that are there; a place at an address has the last one only. */
  readonly read: () => Promise<readonly SignedSeal[]>;
}

/** The places that the environment names: CHECKPOINT_FILE, CHECKPOINT_URL, both, or none. */
export function checkpointPlaces(): readonly CheckpointPlace[] {
  const { CHECKPOINT_FILE: file, CHECKPOINT_URL: url, CHECKPOINT_AUTHORIZATION: authorization } = env;
  return [
    ...(file === undefined ? [] : [checkpointFile(file)]),
    ...(url === undefined ? [] : [checkpointAddress(url, authorization)]),
  ];
}

/**
 * What all places hold.
 *
 * @throws Error that says which one cannot be read: what is not known is not verified
 */
export async function readCheckpoints(
  places: readonly CheckpointPlace[] = checkpointPlaces(),
): Promise<readonly SignedSeal[]> {
  return (await Promise.all(places.map(({ read }) => read()))).flat();
}

/** The checkpoint of the highest number; `null` without any. */
export function newestOf(checkpoints: readonly SignedSeal[]): SignedSeal | null {
  return checkpoints.reduce<SignedSeal | null>(
    (newest, seal) => (newest === null || seal.number >= newest.number ? seal : newest),
    null,
  );
}

/** How the next checkpoint ends a line that a crash or a full disk cut short: what was written cannot be taken back. */
const CUT = " (cut short)\n";

/** A file with a seal in each line; best on another disk, and where the system refuses to shorten it (`chattr +a`). */
export function checkpointFile(path: string): CheckpointPlace {
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
export function checkpointAddress(url: string, authorization: string | undefined, send?: Outbound): CheckpointPlace {
  const store = { setting: "CHECKPOINT_URL", authorization, send };
  return {
    add: (seal) => putObject(store, url, "application/json", `${JSON.stringify(seal)}\n`),
    read: async () => {
      const bytes = await getObject(store, url);
      return bytes === null ? [] : parseCheckpoints(Buffer.from(bytes).toString("utf8"));
    },
  };
}

/**
 * The checkpoints in a text, one in each line. A line that was cut short counts for nothing.
 *
 * @throws Error that names the line that is none
 */
export function parseCheckpoints(text: string): SignedSeal[] {
  // What follows the last line break is empty, or was cut.
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

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
