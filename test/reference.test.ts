import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { OPERATORS } from "@/lib/access/model/matcher";
import { BLANK_SELECTOR, clausesIn } from "@/lib/access/matching/selector-clauses";
import { profileNames } from "@/lib/access/compile/profiles";
import { REASONS, STEPS } from "@/lib/access/decide/resolution";
import { OPERATIONS } from "@/lib/contracts/operations/operations";
import { RESOURCE_OPERATIONS } from "@/lib/contracts/operations/resource-operations";
import { manifestFormat } from "@/lib/contracts/agents/agent-api";
import { ERRORS } from "@/lib/errors";
import { KINDS } from "@/lib/resources/kinds";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import { EVENT_TYPES } from "@/lib/resources/parts/webhook-events";
import { PERMISSIONS, ROLES } from "@/lib/resources/permissions";
import { upstreamAuth } from "@/lib/resources/source";
import { SOURCE_KIND_NAMES } from "@/lib/resources/source-kinds";

// docs/reference is normative: what it tabulates is compared with the code's own tables, and its links with what exists.

const FOLDER = "docs/reference";
const pages = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
const read = (page: string) => readFileSync(join(FOLDER, page), "utf8");

/** Names of documents that readers of the repository do not have. */
const OUTSIDE =
  /\b\d{1,2}-(?:product|access|http|execution|ui|promises|governance|flow|client-sign-in|example-tools)\b/g;

const CITING = ["app", "bench", "bin", "components", "docs", "e2e", "lib", "prisma/schema", "scripts", "test"];
const sources = CITING.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
).filter((file) => /\.(ts|tsx|mjs|md|prisma)$/.test(file) && !/node_modules|\/generated\//.test(file));

/** A path of ours in backticks, by itself or at the end of a command. */
const NAMED_PATH = /(?:`|`npx [^`]* )((?:app|bench|bin|components|docs|e2e|lib|prisma|scripts|test)\/[^`\s]*)`/g;
const documents = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...readdirSync("docs", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => join("docs", file)),
];
const decisions = documents.filter((file) => file.startsWith("docs/decisions/"));

/** Matches a path, or the end of one, with `*` for any part of a name. */
function globOf(path: string): RegExp {
  return new RegExp(`(^|/)${path.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
}

/** The cells of every table row of a page, trimmed and without anchors. */
function rows(page: string): string[][] {
  return read(page)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.slice(1, -1).split("|"))
    .map((cells) => cells.map((cell) => cell.replaceAll(/<a id="[^"]*"><\/a>/g, "").trim()));
}

/** Names in backticks of one cell. */
const names = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? "");

/** Headings and anchors of a page as GitHub names them. */
function anchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? "")]);
}

/** The page of routes as the contracts say it. */
function routesPage(): string {
  const table = OPERATIONS.filter(({ id }) => !Object.hasOwn(RESOURCE_OPERATIONS, id))
    .map(({ method, path, who, summary }) => [path, `\`${method.toUpperCase()} ${path}\``, `\`${who}\``, summary])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))
    .map(([, ...cells]) => `| ${cells.join(" | ")} |`);
  const kinds = Object.entries(KINDS).map(([name, kind]) => `| \`${name}\` | \`${kind.read}\` | \`${kind.write}\` |`);
  return `${ROUTES_HEAD.trim()}
${kinds.join("\n")}

## Other requests

| request | who | what it does |
|---|---|---|
${table.join("\n")}
`;
}

const ROUTES_HEAD = `
# Routes

Every route with the permission that it needs; \`agent\` is an agent's credential, \`anyone\` needs none. This page is made from the
contracts in \`lib/contracts/operations\`: \`npx vitest run test/reference.test.ts -u\` writes it. \`/docs\` shows parameters, bodies,
answers and errors.

## Resources

Each has the requests of the [admin API](http.md#admin-api) at \`/api/admin/<resource>\`, and \`GET /api/admin/exports/<resource>\`.

| resource | reading | writing |
|---|---|---|
`;

describe("the reference", () => {
  test("names every operator once, and no other", () => {
    const table = read("decision.md").split("### Operators")[1]?.split("More rules:")[0] ?? "";
    const listed = table
      .split("\n")
      .filter((line) => line.startsWith("| <a id"))
      .flatMap((line) => names(line.split("|")[1]?.replaceAll(/<a[^>]*><\/a>/g, "")));
    expect(listed.toSorted()).toEqual([...OPERATORS].toSorted());
  });

  test("names every clause of a selector, and no other", () => {
    const listed = (read("decision.md").split("### Selector")[1]?.split("## Enabled")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => names(line.split("|")[1]));
    expect(listed.toSorted()).toEqual(clausesIn(BLANK_SELECTOR).toSorted());
  });

  test("names every reason at its step", () => {
    const listed = rows("decision.md").flatMap(([step = "", code = ""]) =>
      (STEPS as readonly string[]).includes(step) && code.startsWith("`") ? [[names(code)[0], step]] : [],
    );
    expect(Object.fromEntries(listed)).toEqual(REASONS);
  });

  test("names every profile", () => {
    const listed = (read("decision.md").split("## Profile")[1]?.split("## Capability")[0] ?? "")
      .split("\n")
      .filter((line) => line.startsWith("| `"))
      .flatMap((line) => names(line.split("|")[1]));
    expect(listed.toSorted()).toEqual([...profileNames].toSorted());
  });

  test("names every error with its status and whether a retry may help", () => {
    const listed = rows("http.md")
      .filter(([code, status]) => /^`\w+`$/.test(code ?? "") && /^\d{3}$/.test(status ?? ""))
      .map(([code, status, retryable]) => [names(code)[0], { status: Number(status), retryable: retryable === "yes" }]);
    expect(Object.fromEntries(listed)).toEqual(
      Object.fromEntries(Object.entries(ERRORS).map(([code, { status, retryable }]) => [code, { status, retryable }])),
    );
  });

  test("and the guides name every manifest format", () => {
    for (const file of ["docs/reference/http.md", "docs/guides/agent-developer.md", "docs/agents/quartermaster.ts"]) {
      const text = readFileSync(file, "utf8");
      const missing = manifestFormat.options.filter((format) => !new RegExp(`[\`"]${format}[\`"]`).test(text));
      expect([file, missing]).toEqual([file, []]);
    }
  });

  test("names every event", () => {
    const listed = rows("execution.md").flatMap(([event = ""]) =>
      /^`[a-z]+\.[a-z_]+`$/.test(event) ? names(event) : [],
    );
    expect(listed.toSorted()).toEqual([...EVENT_TYPES].toSorted());
  });

  test("names every kind of source", () => {
    const table = read("execution.md").split("## Sources")[1]?.split("###")[0] ?? "";
    const listed = table.split("\n").flatMap((line) => (line.startsWith("| `") ? names(line.split("|")[1]) : []));
    expect(listed.toSorted()).toEqual([...SOURCE_KIND_NAMES].toSorted());
  });

  test("names every way to authenticate at a source", () => {
    const listed = (read("execution.md").split("### Credentials")[1]?.split("## Outbound HTTP")[0] ?? "")
      .split("\n")
      .flatMap((line) => (line.startsWith("| `") && !line.includes("---") ? names(line.split("|")[1]).slice(0, 1) : []))
      .filter((name) => name !== "mode");
    expect(listed.toSorted()).toEqual(upstreamAuth.options.map(({ shape }) => shape.mode.value).toSorted());
  });

  test("names every action of the audit trail", () => {
    const listed = rows("log.md").flatMap(([, actions]) =>
      names(actions).filter((name) => /^[a-z_]+\.[a-z_]+$/.test(name)),
    );
    expect(listed.toSorted()).toEqual(Object.keys(AUDIT_ACTIONS).toSorted());
  });

  test("tabulates the figures of every bench", () => {
    const benches = readdirSync("bench").flatMap((file) => (file.endsWith(".ts") ? [file.replace(".ts", "")] : []));
    const listed = new Set(rows("performance.md").flatMap(([bench]) => names(bench)));
    expect(benches.filter((bench) => !listed.has(bench))).toEqual([]);
  });

  test("names every permission with its roles", () => {
    const listed = rows("http.md")
      .filter(([permission]) => /^`[a-z-]+:[a-z]+`$/.test(permission ?? ""))
      .map(([permission, ...cells]) => [names(permission)[0], ROLES.filter((_, at) => cells[at] === "✓")]);
    expect(Object.fromEntries(listed)).toEqual(PERMISSIONS);
  });

  test("tabulates every route: run with -u after a change of a contract", async () => {
    await expect(routesPage()).toMatchFileSnapshot("../docs/reference/routes.md");
  });

  test.each([...pages.map((page) => join(FOLDER, page)), "docs/architecture.md", "docs/glossary.md"])(
    "%s links to what exists",
    (file) => {
      const text = readFileSync(file, "utf8");
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link ?? "");
      const broken = links.filter((link) => {
        if (/^https?:/.test(link)) return false;
        const [path = "", anchor] = link.split("#");
        const target = path === "" ? file : join(dirname(file), path);
        try {
          if (anchor === undefined) return !target.endsWith(".md") && readdirSync(target).length === 0;
          return !anchors(readFileSync(target, "utf8")).has(anchor);
        } catch {
          return true;
        }
      });
      expect(broken).toEqual([]);
    },
  );

  test("docs/architecture.md says what every folder of lib holds", () => {
    const table = readFileSync("docs/architecture.md", "utf8");
    const folders = readdirSync("lib", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map(({ name }) => name).filter((name) => !table.includes(`\`lib/${name}/\``))).toEqual([]);
  });

  test.each(documents)("%s names files that exist", (file) => {
    const named = [...readFileSync(file, "utf8").matchAll(NAMED_PATH)].map(([, path]) => path ?? "");
    const missing = named.filter((path) => {
      if (/[<>…{]/.test(path)) return false;
      return path.includes("*")
        ? !sources.some((source) => globOf(path).test(source))
        : !existsSync(path.replace(/[:#].*/, ""));
    });
    expect(missing).toEqual([]);
  });

  test.each(decisions)("%s says its status and date", (file) => {
    expect(readFileSync(file, "utf8")).toMatch(
      /^# \d+\. .+\n\n\*\*Status:\*\* (?:accepted|superseded).*\n\*\*Date:\*\* \d{4}-\d\d-\d\d\n\n## Context\n/,
    );
  });

  test("no two decisions have the same number", () => {
    const numbers = decisions.map((file) => /(\d{4})-[^/]*$/.exec(file)?.[1]);
    expect(new Set(numbers).size).toBe(decisions.length);
  });

  test("promises.md names tests and benches that exist", () => {
    const held = rows("promises.md").flatMap((cells) => names(cells[2]));
    const folders = readdirSync("test").filter((folder) => !folder.includes("."));
    const known = folders.flatMap((folder) => [
      folder,
      ...readdirSync(join("test", folder), { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)),
    ]);
    const missing = held.filter((name) => {
      if (name.startsWith("npm run ")) return false;
      if (name.startsWith("bench ")) return !readdirSync("bench").includes(`${name.slice(6)}.ts`);
      const wanted = globOf(name.replace(/^test\//, ""));
      return !known.some((file) => wanted.test(file));
    });
    expect(missing).toEqual([]);
  });

  test("is what every comment cites, at a passage that exists, and no document outside the repository is", () => {
    const wrong: string[] = [];
    const known = new Map(pages.map((page) => [page, anchors(read(page))]));
    for (const file of sources) {
      const text = readFileSync(file, "utf8");
      for (const [cited, page = "", anchor] of text.matchAll(/docs\/reference\/([a-z]+\.md)(?:#([a-z_-]+))?/g)) {
        const passages = known.get(page);
        if (passages === undefined || (anchor !== undefined && !passages.has(anchor))) wrong.push(`${file}: ${cited}`);
      }
      for (const [cited] of text.matchAll(OUTSIDE)) wrong.push(`${file}: ${cited}`);
    }
    expect(wrong).toEqual([]);
  });
});
