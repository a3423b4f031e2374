import { describe, expect, it } from "vitest";
import { inclusionPath, leafHash, rootOf, treeHash } from "@/lib/audit/seal/merkle";

/** Entries and roots that implementations of Certificate Transparency use for tests (RFC 6962, RFC 9162). */
const ENTRIES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const ROOTS = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

const leaves = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    leafHash(ENTRIES[n] === undefined ? `entry ${n}` : Buffer.from(ENTRIES[n], "hex")),
  );

describe("the tree", () => {
  it.each(ROOTS.map((root, index) => [index + 1, root] as const))(
    "of %i known entries has the known root",
    (count, root) => {
      expect(treeHash(leaves(count)).toString("hex")).toBe(root);
    },
  );

  it("has no root without leaves", () => {
    expect(() => treeHash([])).toThrow(RangeError);
  });
});

describe("a path", () => {
  it("leads from every leaf of every small tree to its root, and from no other index or leaf", () => {
    for (let count = 1; count <= 33; count += 1) {
      const all = leaves(count);
      const root = treeHash(all);
      for (const [index, leaf] of all.entries()) {
        const path = inclusionPath(all, index);
        expect(rootOf(leaf, index, count, path)).toEqual(root);
        expect(rootOf(leafHash("another"), index, count, path)).not.toEqual(root);
        const places = all.map((_, place) => place).filter((place) => rootOf(leaf, place, count, path)?.equals(root));
        expect(places).toEqual([index]);
      }
    }
  });

  it("that is too long, too short or has no valid index gives no root", () => {
    const all = leaves(5);
    const [leaf = Buffer.alloc(32)] = all;
    const path = inclusionPath(all, 0);
    expect(rootOf(leaf, 0, 5, path.slice(1))).toBeNull();
    expect(rootOf(leaf, 0, 5, [...path, leaf])).toBeNull();
    expect(rootOf(leaf, 5, 5, path)).toBeNull();
    expect(rootOf(leaf, -1, 5, path)).toBeNull();
    expect(rootOf(leaf, 0, 1, [leaf])).toBeNull();
  });
});
