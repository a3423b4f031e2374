import { createHash } from "node:crypto";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** The longest name of a source, group or operation. */
const MAX_NAME_LENGTH = 64;

/** Converts a key to an operation: letters, digits, `_` and `-`. Masks secrets, because every log row has the name. */
export function operationOf(key: string): string {
  const plain = maskSecretShapes(key)
    .replace(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, MAX_NAME_LENGTH);
  return /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`.slice(0, MAX_NAME_LENGTH);
}

/** Converts a text to the name of a source or group: letters, digits, `.`, `_` and `-`. Masks secrets. */
export function slugOf(text: string): string {
  const plain = maskSecretShapes(text)
    .replace(/[^A-Za-z0-9._-]/g, "-")
    .slice(0, MAX_NAME_LENGTH);
  return /^[A-Za-z0-9]/.test(plain) ? plain : `x${plain}`.slice(0, MAX_NAME_LENGTH);
}

/**
 * A slug for each name. A name that is already a slug stays. Other names that give the same slug get a part of their
 * hash: two names never become one, and the order of rows does not matter.
 */
export function slugsOf(names: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(names)];
  const wanted = new Map<string, number>();
  for (const name of all) wanted.set(slugOf(name), (wanted.get(slugOf(name)) ?? 0) + 1);
  return new Map(
    all.map((name) => {
      const plain = slugOf(name);
      if (plain === name || wanted.get(plain) === 1) return [name, plain];
      const hash = createHash("sha256").update(name).digest("hex").slice(0, 6);
      return [name, `${plain.slice(0, MAX_NAME_LENGTH - 7)}-${hash}`];
    }),
  );
}
