import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** The folder with this program's migrations, independent of the working directory. */
export function ownRoot(from = import.meta.dirname): string {
  if (existsSync(join(from, "prisma/migrations"))) return from;
  if (dirname(from) === from) throw new Error("this program has no migrations beside it");
  return ownRoot(dirname(from));
}
