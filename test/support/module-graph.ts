import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync, Visitor, type ParseResult, type Span } from "oxc-parser";

/** One import as written; `target` is a file of ours or a package name with its subpath. */
export interface Import {
  readonly target: string;
  readonly ours: boolean;
  readonly typeOnly: boolean;
  /** Asked for while it runs: `import("…")`. */
  readonly later: boolean;
  /** Imported names; empty for a namespace, a re-export of everything or a dynamic import. */
  readonly names: readonly string[];
}

/** A source file and its imports. Paths are relative to the root. */
export interface Module {
  readonly file: string;
  readonly text: string;
  readonly parsed: ParseResult;
  readonly imports: readonly Import[];
}

const root = process.cwd();
const CODE = /\.(ts|tsx|mjs)$/;

/** All modules below `folders` (or single files), by path. Leaves out generated and third-party files. */
export function readModules(folders: readonly string[]): ReadonlyMap<string, Module> {
  const files = folders.flatMap((folder) => filesBelow(join(root, folder)));
  return new Map(files.map((file) => [relative(root, file), readModule(file)]));
}

function filesBelow(path: string): string[] {
  if (!existsSync(path) || /(?:lib\/store\/generated|\/node_modules)$/.test(path)) return [];
  if (!statSync(path).isDirectory()) return CODE.test(path) ? [path] : [];
  return readdirSync(path).flatMap((entry) => filesBelow(join(path, entry)));
}

function readModule(path: string): Module {
  const text = readFileSync(path, "utf8");
  const parsed = parseSync(path, text);
  const file = relative(root, path);
  if (parsed.errors.length > 0) throw new Error(`${file} does not parse: ${parsed.errors[0]?.message}`);
  const { staticImports, staticExports, dynamicImports } = parsed.module;
  const found = [
    ...staticImports.map((item) => ({
      specifier: item.moduleRequest.value,
      // `import {}` and `import "x"` run the module; `import { type A }` keeps only types.
      typeOnly: item.entries.length > 0 && item.entries.every((entry) => entry.isType),
      later: false,
      names: item.entries.flatMap((entry) => entry.importName.name ?? []),
    })),
    ...staticExports.flatMap((item) =>
      item.entries.flatMap((entry) =>
        entry.moduleRequest === null
          ? []
          : [
              {
                specifier: entry.moduleRequest.value,
                typeOnly: entry.isType,
                later: false,
                names: [entry.importName.name ?? ""],
              },
            ],
      ),
    ),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, specifier] = /^["'`]([^"'`$]+)["'`]$/.exec(text.slice(start, end)) ?? [];
      return specifier === undefined ? [] : [{ specifier, typeOnly: false, later: true, names: [] }];
    }),
    ...[...text.matchAll(/\bimport\("([^"]+)"\)(?=[.\s;,>)\]|&[])/g)].map((match) => ({
      specifier: match[1] ?? "",
      typeOnly: true,
      later: false,
      names: [],
    })),
  ];
  return {
    file,
    text,
    parsed,
    imports: found.map(({ specifier, ...rest }) => ({ ...locate(path, specifier), ...rest })),
  };
}

/** `@/x` and `./x` to the file they mean; everything else is a package. */
function locate(importer: string, specifier: string): { target: string; ours: boolean } {
  const path = specifier.startsWith("@/")
    ? join(root, specifier.slice(2))
    : specifier.startsWith(".")
      ? resolve(dirname(importer), specifier)
      : null;
  if (path === null) return { target: specifier, ours: false };
  const candidates = [
    path,
    `${path}.ts`,
    `${path}.tsx`,
    `${path}.mjs`,
    join(path, "index.ts"),
    join(path, "index.tsx"),
  ];
  const file = candidates.find((candidate) => existsSync(candidate) && statSync(candidate).isFile()) ?? path;
  return { target: relative(root, file), ours: true };
}

/** Whether `name` is `folder` or below it (a package's subpath counts, unless `folder` ends in `$`). */
export function within(name: string, folder: string): boolean {
  if (folder.endsWith("$")) return name === folder.slice(0, -1);
  return folder.endsWith(":") ? name.startsWith(folder) : name === folder || name.startsWith(`${folder}/`);
}

/** Everything that `start` reaches, each with the chain of targets that leads there (`start` first). */
export function reach(modules: ReadonlyMap<string, Module>, start: string): ReadonlyMap<string, readonly string[]> {
  const chains = new Map<string, readonly string[]>([[start, [start]]]);
  const queue = [start];
  for (let file = queue.shift(); file !== undefined; file = queue.shift()) {
    const chain = chains.get(file) ?? [];
    for (const { target, ours } of modules.get(file)?.imports ?? []) {
      if (chains.has(target)) continue;
      chains.set(target, [...chain, target]);
      if (ours) queue.push(target);
    }
  }
  return chains;
}

/** Where the functions of a file stand. */
export function functionsOf({ program }: ParseResult): Span[] {
  const found: Span[] = [];
  const add = (node: Span) => void found.push(node);
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(program);
  return found;
}
