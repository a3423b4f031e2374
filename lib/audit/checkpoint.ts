import { appendFile, readFile } from "node:fs/promises";
import { signedSeal, type SignedSeal } from "@/lib/resources/seal";

/** Where seals are remembered besides the database: whoever turns that back, does not turn this back. */
export interface CheckpointPlace {
  /** Adds one; what is there stays. */
  readonly add: (seal: SignedSeal) => Promise<void>;
  /** All that are there, oldest first. */
  readonly read: () => Promise<readonly SignedSeal[]>;
}

/** A file with a seal in each line; best on another disk, and where the system can refuse to shorten it (`chattr +a`). */
export function checkpointFile(path: string): CheckpointPlace {
  return {
    add: (seal) => appendFile(path, `${JSON.stringify(seal)}\n`, { mode: 0o600 }),
    read: async () => {
      const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return "";
        throw error;
      });
      return parseCheckpoints(text);
    },
  };
}

/**
 * The checkpoints in a text, oldest first: one in each line. A last line that a crash cut short counts for nothing.
 *
 * @throws Error that names the line that is none
 */
export function parseCheckpoints(text: string): SignedSeal[] {
  const lines = text.split("\n");
  // What follows the last line break is empty, or was cut.
  return lines.slice(0, -1).map((line, index) => {
    const parsed = signedSeal.safeParse(fromJson(line));
    if (!parsed.success) throw new Error(`Line ${index + 1} of the checkpoints is no seal.`);
    return parsed.data;
  });
}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
