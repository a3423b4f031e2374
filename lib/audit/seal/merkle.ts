import { hash } from "node:crypto";

/** Hashes of Certificate Transparency's Merkle tree (RFC 9162, 2.1). All are 32 bytes of SHA-256. */

/** The byte before an entry, which distinguishes it from an inner node (RFC 9162, 2.1.1). */
export const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The hash of one entry. */
export function leafHash(entry: string | Uint8Array): Buffer {
  return prefixedHash(typeof entry === "string" ? `\0${entry}` : Buffer.concat([LEAF, entry]));
}

/** The hash of an entry that begins with `LEAF` already. */
export function prefixedHash(prefixed: string | Uint8Array): Buffer {
  return hash("sha256", prefixed, "buffer");
}

function nodeHash(left: Buffer, right: Buffer): Buffer {
  return hash("sha256", Buffer.concat([NODE, left, right]), "buffer");
}

/**
 * The tree hash of leaf hashes (2.1.1).
 * @throws RangeError without leaves: an empty batch is never sealed
 */
export function treeHash(leaves: readonly Buffer[]): Buffer {
  const [first] = leaves;
  if (first === undefined) throw new RangeError("a tree has leaves");
  if (leaves.length === 1) return first;
  const split = splitOf(leaves.length);
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)));
}

/** The hashes from one leaf to the root, bottom up (2.1.3.1). */
export function inclusionPath(leaves: readonly Buffer[], index: number): Buffer[] {
  if (leaves.length <= 1) return [];
  const split = splitOf(leaves.length);
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
  return index < split
    ? [...inclusionPath(left, index), treeHash(right)]
    : [...inclusionPath(right, index - split), treeHash(left)];
}

/** The root computed from a leaf, its index and its path (2.1.3.2); `null` when the path has the wrong length. */
export function rootOf(leaf: Buffer, index: number, count: number, path: readonly Buffer[]): Buffer | null {
  if (count === 1) return index === 0 && path.length === 0 ? leaf : null;
  const sibling = path.at(-1);
  if (sibling === undefined || index < 0 || index >= count) return null;
  const split = splitOf(count);
  const below = path.slice(0, -1);
  if (index < split) {
    const left = rootOf(leaf, index, split, below);
    return left === null ? null : nodeHash(left, sibling);
  }
  const right = rootOf(leaf, index - split, count - split, below);
  return right === null ? null : nodeHash(sibling, right);
}

/** The largest power of two below the number of leaves. */
function splitOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1));
}
