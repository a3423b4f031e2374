import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of all migrations below `root`, in order. */
export function migrationNames(root: string): readonly string[] {
  return readdirSync(join(root, "prisma/migrations"))
    .filter((entry) => /^\d{14}_/.test(entry))
    .toSorted();
}
