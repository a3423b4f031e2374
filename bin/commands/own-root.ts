import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder that holds this program's migrations, wherever it is called from. */
export function ownRoot(from = import.meta.dirname): string {
  if (existsSync(join(from, "prisma/migrations"))) return from;
  if (dirname(from) === from) throw new Error("this program has no migrations beside it");
  return ownRoot(dirname(from));
}
