import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import { BANS, LAYERS, PURE, TOOLS, type Layer } from "@/test/support/house";
import { functionsOf, readModules, reach, within, type Module } from "@/test/support/module-graph";
import {
  FILE_LIMIT,
  FLAT_FOLDERS,
  FOLDER_LIMIT,
  FUNCTION_LIMIT,
  LONG_FILES,
  TEST_FILE_LIMIT,
} from "@/test/support/size-limits";

const modules = readModules(["app", "bin", "scripts", "components", "lib", "proxy.ts", "instrumentation.ts"]);
const everything = readModules([...LAYERS.map((layer) => layer.folder), "test", "e2e", "bench"]);

/** Each offence on its own line, `file → import`. */
function offences(check: (module: Module) => readonly string[], among = modules): string[] {
  return [...among.values()].flatMap((module) => check(module).map((text) => `${module.file} → ${text}`)).toSorted();
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.filter((layer) => within(file, layer.folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0];
}

describe("the layers", () => {
  it("know every folder with code", () => {
    expect(offences(({ file }) => (layerOf(file) === undefined ? ["no layer in test/support/house.ts"] : []))).toEqual(
      [],
    );
  });

  it("import only what the table allows", () => {
    const check = ({ file, imports }: Module) => {
      const layer = layerOf(file);
      const allowed = (target: string, ours: boolean) =>
        ours
          ? layer?.ours.some((folder) => within(target, folder))
          : layer?.packages.some((name) => within(target, name));
      return imports.filter(({ target, ours }) => allowed(target, ours) !== true).map(({ target }) => target);
    };
    expect(offences(check)).toEqual([]);
  });

  it.each(BANS)(
    "keep $folder from importing forbidden modules, directly or through others: $why",
    ({ folder, never }) => {
      const check = ({ file }: Module) =>
        within(file, folder)
          ? [...reach(modules, file)].flatMap(([target, chain]) =>
              never.some((banned) => within(target, banned)) ? [chain.slice(1).join(" → ")] : [],
            )
          : [];
      expect(offences(check)).toEqual([]);
    },
  );

  it("contain no circle", () => {
    const check = ({ file, imports }: Module) =>
      imports
        .filter(({ ours, typeOnly }) => ours && !typeOnly)
        .flatMap(({ target }) => {
          const back = reach(withoutTypes, target).get(file);
          return back === undefined ? [] : [back.join(" → ")];
        });
    const withoutTypes = new Map(
      [...modules].map(([file, module]) => [
        file,
        { ...module, imports: module.imports.filter((item) => !item.typeOnly) },
      ]),
    );
    expect(offences(check)).toEqual([]);
  });

  it("export only what another file imports", () => {
    const users = [...everything.values()].flatMap(({ file, imports }) => imports.map((item) => ({ file, ...item })));
    const used = new Set(users.flatMap(({ target, names }) => names.map((name) => `${target} ${name}`)));
    const whole = new Set(users.filter(({ names }) => names.length === 0).map(({ target }) => target));
    const check = ({ file, parsed }: Module) =>
      /^(?:components|lib)\//.test(file) && !whole.has(file)
        ? parsed.module.staticExports
            .flatMap(({ entries }) => entries.flatMap(({ exportName }) => exportName.name ?? []))
            .filter((name) => !used.has(`${file} ${name}`))
        : [];
    expect(offences(check)).toEqual([]);
  });

  it("show a list and the page of a row before the schemas are loaded, which happens at the first validation", () => {
    const shown =
      /^components\/(?:views\/|resource\/resource-(?:list|detail)|[a-z]+\/[a-z]+-(?:list|detail|review|screen|view)\.)/;
    const atOnce = new Map(
      [...modules].map(([file, module]) => [
        file,
        { ...module, imports: module.imports.filter(({ typeOnly, later }) => !typeOnly && !later) },
      ]),
    );
    const check = ({ file }: Module) => {
      const chain = shown.test(file) ? reach(atOnce, file).get("zod") : undefined;
      return chain === undefined ? [] : [chain.slice(1).join(" → ")];
    };
    expect(offences(check)).toEqual([]);
  });

  it("say `use client` exactly where a module of the server imports one of the browser", () => {
    const isBrowsers = (file: string) => modules.get(file)?.text.startsWith('"use client"') === true;
    const pages = [...modules.keys()].filter((file) => /^app\/.*\.tsx?$/.test(file));
    const boundary = new Set(pages.filter(isBrowsers));
    const servers = new Set(pages.filter((file) => !isBrowsers(file)));
    for (const file of servers)
      for (const { target, ours, typeOnly } of modules.get(file)?.imports ?? []) {
        if (ours && !typeOnly) (isBrowsers(target) ? boundary : servers).add(target);
      }
    const check = ({ file }: Module) =>
      isBrowsers(file) && !boundary.has(file)
        ? ["delete `use client`: only modules of the browser import this file"]
        : [];
    expect(offences(check)).toEqual([]);
  });

  it("mount the agent plane by one-liners: its routes import lib/agents and nothing else", () => {
    const check = ({ file, imports }: Module) =>
      /^app\/(api\/agents|mcp)\/.*route\.ts$/.test(file)
        ? imports.filter(({ target }) => !within(target, "lib/agents")).map(({ target }) => target)
        : [];
    expect(offences(check)).toEqual([]);
  });
});

describe("packages", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const installed = Object.keys({ ...dependencies, ...devDependencies });
  const configs = ["next.config.mjs", "playwright.config.ts", "prisma.config.ts", "vitest.config.ts", "docs/agents"];
  // The programs of test/interop have a separate package.json.
  const users = [...everything, ...readModules(configs)].flatMap(([file, module]) =>
    within(file, "test/interop/clients") ? [] : [module],
  );
  /** Packages that a module imports, or finds with `createRequire`. */
  const packagesOf = ({ imports, text }: Module) =>
    [
      ...imports.filter(({ ours }) => !ours).map(({ target }) => target),
      ...[...text.matchAll(/(?:\brequire(?:\.resolve)?|\)\.resolve)\("([^".][^"]*)"\)/g)].map(([, name = ""]) => name),
    ].filter((name) => !within(name, "node:"));

  it("of the table and of the list of tools are in package.json", () => {
    const tabled = [...LAYERS.flatMap(({ packages }) => packages), ...Object.keys(TOOLS)];
    const absent = tabled
      .filter((name) => !within(name, "node:"))
      .map((name) => name.replace(/\$$/, ""))
      .filter((name) => !installed.some((one) => within(one, name) || within(name, one)));
    expect(absent).toEqual([]);
  });

  it("of package.json are used by a module or are named tools", () => {
    const used = users.flatMap(packagesOf);
    const isTypes = (name: string) =>
      name === "@types/node" || (name.startsWith("@types/") && installed.includes(name.slice("@types/".length)));
    const unused = installed.filter(
      (name) => !Object.hasOwn(TOOLS, name) && !isTypes(name) && !used.some((target) => within(target, name)),
    );
    expect(unused).toEqual([]);
  });

  it("that the product uses are installed for production, and no module uses one that another package brings", () => {
    const isProduct = ({ file }: Module) =>
      ["app", "bin", "components", "lib", "proxy.ts", "instrumentation.ts"].some((folder) => within(file, folder));
    const allowed = (module: Module) => (isProduct(module) ? Object.keys(dependencies) : installed);
    const foreign = users.flatMap((module) =>
      packagesOf(module)
        .filter((target) => !allowed(module).some((name) => within(target, name)))
        .map((target) => `${module.file} → ${target}`),
    );
    expect(foreign.toSorted()).toEqual([]);
  });

  it("have exact versions", () => {
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(([, version]) => !/^\d/.test(version));
    expect(loose).toEqual([]);
  });
});

describe("pure folders", () => {
  const isPure = (file: string) => PURE.some((folder) => within(file, folder));

  it("read no clock, chance, network or environment", () => {
    const impure =
      /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bfetch\(|\bprocess\.|\bperformance\.|\bcrypto\.(?!subtle)\b|\bsetTimeout\b/g;
    expect(
      offences(({ file, text }) => (isPure(file) ? [...withoutComments(text).matchAll(impure)].map(String) : [])),
    ).toEqual([]);
  });

  it("take from node:crypto nothing but hashing", () => {
    const check = ({ file, imports }: Module) =>
      isPure(file)
        ? imports
            .filter(({ target }) => target === "node:crypto")
            .flatMap(({ names }) => names.filter((name) => name !== "createHash" && name !== "hash"))
        : [];
    expect(offences(check)).toEqual([]);
  });
});

describe("the environment", () => {
  // The snippets are code for agents, which the page shows and does not run.
  const readers = ["lib/env.ts", "components/agents/snippets.ts", "bin", "scripts"];

  it("is read by lib/env.ts, configuration files, bin/ and scripts/ only", () => {
    const check = ({ file, text }: Module) =>
      readers.some((reader) => within(file, reader))
        ? []
        : // NODE_ENV and NEXT_RUNTIME are not read: the bundler replaces them.
          [...withoutComments(text).matchAll(/\bprocess\.env\b(?!\.(NODE_ENV|NEXT_RUNTIME)\b)/g)].map(([read]) => read);
    expect(offences(check)).toEqual([]);
  });
});

describe("singletons", () => {
  it("are kept by one helper", () => {
    const check = ({ file, text }: Module) =>
      within(file, "lib") && file !== "lib/process/singleton.ts" && /\bglobalThis as\b/.test(text)
        ? ["globalThis"]
        : [];
    expect(offences(check)).toEqual([]);
  });
});

describe("timers", () => {
  it("that repeat belong to one stream, connection, import, sync or cached value; other periodic work is a job", () => {
    const owners = [
      "lib/agents/mcp/sessions.ts",
      "lib/agents/streams/follow.ts",
      "lib/http/event-stream.ts",
      "lib/store/db/listener.ts",
      "lib/store/snapshot/freshness.ts",
      "lib/store/sources/import-jobs.ts",
      "lib/store/sources/source-syncs.ts",
    ];
    const repeating = [...modules.values()].filter(
      ({ file, text }) => within(file, "lib") && /\bsetInterval\(/.test(withoutComments(text)),
    );
    expect(repeating.map(({ file }) => file).toSorted()).toEqual(owners);
  });
});

describe("navigations", () => {
  it("ask before unsaved changes are lost: the router alone is for what follows a save, a deletion or a cancel", () => {
    const owners = [
      "components/configuration/restore-button.tsx",
      "components/resource/editor/follow-request.ts",
      "components/resource/editor/leave-guard.tsx",
      "components/resource/editor/resource-editor.tsx",
      "components/resource/editor/use-row-editing.ts",
      "components/resource/editor/use-stage.ts",
      "components/resource/go.ts",
      "components/resource/remove/resource-delete.tsx",
      "components/secrets/secret-view.tsx",
    ];
    const pushing = [...modules.values()].filter(({ text }) => /\brouter\.push\(/.test(withoutComments(text)));
    expect(pushing.map(({ file }) => file).toSorted()).toEqual(owners);
  });
});

describe("the actions of the audit trail", () => {
  it("are each recorded by lib or app", () => {
    const recorders = [...modules.values()].filter(
      ({ file }) => (within(file, "lib") || within(file, "app")) && file !== "lib/contracts/log/audit-actions.ts",
    );
    const code = recorders.map(({ text }) => text).join("\n");
    // Some actions end in a status: `requests.${status}`.
    const isRecorded = (action: string) =>
      code.includes(`"${action}"`) || code.includes(`\`${action.replace(/\.\w+$/, ".${")}`);
    expect(Object.keys(AUDIT_ACTIONS).filter((action) => !isRecorded(action))).toEqual([]);
  });
});

describe("files", () => {
  it("are named after the one thing they hold, in kebab-case, and nothing is a drawer", () => {
    const check = ({ file }: Module) => {
      const parts = file.split("/");
      const drawers = parts.filter((part) => /^(utils?|helpers?|common|misc)(\.\w+)?$|^types\.tsx?$/.test(part));
      const odd = parts.filter(
        (part) =>
          !/^(\.well-known|\[{1,2}(\.\.\.)?[a-zA-Z]+\]{1,2}|\([a-z-]+\)|[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*)$/.test(part),
      );
      return [...drawers, ...odd];
    };
    expect(offences(check, everything)).toEqual([]);
  });

  it("do not hand on others' exports: no barrels", () => {
    const check = ({ parsed }: Module) =>
      parsed.module.staticExports.flatMap((item) =>
        item.entries
          .filter((entry) => entry.moduleRequest !== null && !entry.isType)
          .map((entry) => `re-exports ${entry.moduleRequest?.value}`),
      );
    expect(offences((module) => (within(module.file, "app") ? [] : check(module)))).toEqual([]);
  });

  it("are not longer than their limit, unless test/support/size-limits.ts says why", () => {
    const isLong = ({ file, text }: Module) =>
      text.trimEnd().split("\n").length > (/\.(?:test|spec)\.ts$/.test(file) ? TEST_FILE_LIMIT : FILE_LIMIT);
    const long = [...everything.values()].filter(isLong).map(({ file }) => file);
    expect(long.toSorted()).toEqual(Object.keys(LONG_FILES).toSorted());
  });

  it(`have no function of more than ${FUNCTION_LIMIT} lines`, () => {
    const check = ({ file, text, parsed }: Module) =>
      within(file, "test") || within(file, "e2e")
        ? []
        : functionsOf(parsed)
            .map(({ start, end }) => text.slice(start, end).split("\n").length)
            .filter((lines) => lines > FUNCTION_LIMIT)
            .map((lines) => `a function of ${lines} lines`);
    expect(offences(check, everything)).toEqual([]);
  });

  it("ask the table of kinds of source what a kind does, never for a kind by name", () => {
    // The kinds of `run` have partly the same names; their union narrows by them.
    const byName = /(?<!(?:run|now|stored)\??\.)\bkind (?:[!=]== "|= '|IN \(')(?:openapi|mcp|http|script|builtin)["']/g;
    expect(offences(({ text }) => text.match(byName) ?? [])).toEqual([]);
  });

  it("silence no checker", () => {
    const silencers = /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint)-disable/g;
    expect(
      offences(
        ({ parsed }) => parsed.comments.flatMap(({ value }) => [...value.matchAll(silencers)].map(String)),
        everything,
      ),
    ).toEqual([]);
  });
});

describe("folders", () => {
  it(`hold ${FOLDER_LIMIT} files or fewer, unless test/support/size-limits.ts says why`, () => {
    const roots = ["app", "bench", "bin", "components", "docs", "e2e", "lib", "prisma/schema", "scripts", "test"];
    const full = roots.flatMap(foldersBelow).filter((folder) => filesIn(folder) > FOLDER_LIMIT);
    expect(full.toSorted()).toEqual(Object.keys(FLAT_FOLDERS).toSorted());
  });
});

function foldersBelow(folder: string): string[] {
  if (/(?:lib\/store\/generated|\/node_modules)$/.test(folder)) return [];
  const inner = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [folder, ...inner.flatMap((entry) => foldersBelow(join(folder, entry.name)))];
}

function filesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

describe("texts that people and agents read", () => {
  it("hold none of the phrases that readers stumbled over", () => {
    // Each was on a screen or in an error once. The glossary has the plain word (docs/glossary.md).
    const riddles =
      /blotted out|comes along|is told this|as once|may state the state|character for character|word for word|whom it matches|open this door|agents' door|is not what was (?:sealed|signed|written)|does not hold it|a key of ours/gi;
    const check = ({ text }: Module) => withoutComments(text).match(riddles) ?? [];
    expect(offences(check)).toEqual([]);
  });
});

describe("exports of lib/", () => {
  it("have a doc comment", () => {
    const check = ({ file, text, parsed }: Module) => {
      if (!within(file, "lib")) return [];
      const ends = new Set(parsed.comments.filter(({ value }) => value.startsWith("*")).map(({ end }) => end));
      const documented = (start: number) => ends.has(text.slice(0, start).trimEnd().length);
      const seen = new Set<string>();
      return parsed.module.staticExports.flatMap((item) => {
        const names = item.entries.map((entry) => entry.exportName.name ?? "default");
        const own = item.entries.every((entry) => entry.moduleRequest === null);
        // The second and later signatures of an overload stand under the first one's comment.
        const first = !names.every((name) => seen.has(name));
        for (const name of names) seen.add(name);
        const declared = !text.slice(item.start, item.end).startsWith("export {");
        return own && first && declared && !documented(item.start) ? [names.join(", ")] : [];
      });
    };
    expect(offences(check)).toEqual([]);
  });
});

/** Text without comments, so that prose may name what code may not do. */
function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
}
