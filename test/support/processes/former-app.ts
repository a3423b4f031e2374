import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { migrationNames } from "@/lib/server/migration-names";

/** A build of the app from before the newest migrations. */
export interface FormerApp {
  /** Its root: programs are in `dist`. */
  readonly folder: string;
  /** The first migration that it does not know. */
  readonly lacks: string;
  remove(): void;
}

/** The exports of a `bin/boot/build.mjs`. */
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
    history = git(
      "log",
      "--no-renames",
      "--diff-filter=A",
      "--format=%H",
      "--name-only",
      "--",
      "prisma/migrations/*/migration.sql",
    );
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
  // The baseline is no upgrade: the version before it has another history.
  const [, ...upgrades] = migrationNames(process.cwd());
  const candidates = upgrades.filter((name) => added.has(name)).slice(-LACKING);
  const lacks = candidates.find((name) => runsHere(`${added.get(name)}^`));
  if (lacks === undefined) return "no version since the baseline has only packages and migrations that are here";
  return { commit: `${added.get(lacks)}^`, lacks };
}

/** Whether our packages serve a commit, and the database of today has all its migrations. */
function runsHere(commit: string): boolean {
  const packages = (text: string) => Object.keys((JSON.parse(text) as { dependencies: object }).dependencies);
  const ours = new Set(packages(readFileSync("package.json", "utf8")));
  const migrations = new Set(migrationNames(process.cwd()));
  const theirs = git("ls-tree", "-d", "--name-only", commit, "prisma/migrations/").split("\n").filter(Boolean);
  return (
    packages(git("show", `${commit}:package.json`)).every((name) => ours.has(name)) &&
    theirs.every((folder) => migrations.has(basename(folder)))
  );
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
    const { generate, buildPrograms } = (await import(
      pathToFileURL(join(folder, "bin/boot/build.mjs")).href
    )) as Builder;
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
