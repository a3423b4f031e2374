import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A build of the app from before the newest migrations. */
export interface FormerApp {
  /** Its root: programs are in `dist`. */
  readonly folder: string;
  /** The first migration that it does not know. */
  readonly lacks: string;
  remove(): void;
}

/** The exports of a `bin/build.mjs`. */
interface Builder {
  readonly generate: (root: string) => Promise<unknown>;
  readonly buildPrograms: (root: string) => Promise<unknown>;
}

/** Migrations that a former app lacks: it is older than the last release would be. */
const LACKING = 3;

/** The newest commit without the last migrations, and the first of those; or why there is none to be had. */
export function formerCommit(): { readonly commit: string; readonly lacks: string } | string {
  let history: string;
  try {
    if (git("rev-parse", "--is-shallow-repository").trim() === "true") return "the clone is shallow";
    history = git("log", "--diff-filter=A", "--format=%H", "--name-only", "--", "prisma/migrations/*/migration.sql");
  } catch {
    return "this is no clone, or there is no git";
  }
  const added = new Map<string, string>();
  let commit = "";
  for (const line of history.split("\n").filter((text) => text !== "")) {
    const [, name] = /^prisma\/migrations\/([^/]+)\//.exec(line) ?? [];
    if (name === undefined) commit = line;
    else added.set(name, commit);
  }
  const [lacks] = [...added.keys()]
    .filter((name) => readdirSync("prisma/migrations").includes(name))
    .toSorted()
    .slice(-LACKING);
  if (lacks === undefined) return "there is no migration";
  return { commit: `${added.get(lacks)}^`, lacks };
}

/** Builds it below ours, so that it has our packages. */
export async function buildFormerApp({ commit, lacks }: { commit: string; lacks: string }): Promise<FormerApp> {
  mkdirSync(".data", { recursive: true });
  const folder = mkdtempSync(join(process.cwd(), ".data", "former-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const archive = execFileSync("git", ["archive", commit], { maxBuffer: 1 << 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
    const { generate, buildPrograms } = (await import(pathToFileURL(join(folder, "bin/build.mjs")).href)) as Builder;
    await generate(folder);
    await buildPrograms(folder);
    return { folder, lacks, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}
