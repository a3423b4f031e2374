import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

// npm's own commands answer: `npm query`, `npm sbom`, `npm audit`.

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license?: unknown;
}

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly "bom-ref": string } };
  readonly components: readonly (Package & {
    readonly "bom-ref": string;
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  })[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** A command of npm may take seconds to start on a busy machine, and `npm run` starts two. */
const TIMEOUT_MS = 60_000;

/** Everything that a production install holds on some platform. */
const PRODUCTION = ":root > .prod, :root > .prod *";

async function npm(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout } = await promisify(execFile)("npm", args, { env: { ...process.env, ...env }, maxBuffer: 2 ** 27 });
  return stdout;
}

/** The licences that an SPDX expression names. */
const licencesIn = (expression: string) => expression.split(/\s+(?:AND|OR)\s+|[()]/).filter((part) => part !== "");
const idOf = ({ name, version }: Package) => `${name}@${version}`;

describe("what production installs", { timeout: TIMEOUT_MS }, () => {
  let production: readonly Package[] = [];
  beforeAll(async () => {
    production = JSON.parse(await npm(["query", PRODUCTION, "--package-lock-only"])) as readonly Package[];
  });

  const page = readFileSync("docs/licences.md", "utf8");
  const rows = [...page.matchAll(/^\| `([^`]+)` +\|(.*)\|$/gm)].map(([, key = "", value = ""]) => ({
    key,
    value: value.trim(),
  }));
  /** The packages whose own field is no SPDX expression. */
  const read = new Map(
    rows.flatMap(({ key, value }) => (/^`.+`$/.test(value) ? [[key, value.slice(1, -1)] as const] : [])),
  );
  const allowed = rows.map(({ key }) => key).filter((key) => !read.has(key));
  const licencesOf = ({ name, license }: Package) => {
    const stated = read.get(name) ?? license;
    return typeof stated === "string" ? licencesIn(stated) : [];
  };

  test("is under licences of docs/licences.md alone, which names no other, and under no GPL", () => {
    expect(production.length).toBeGreaterThan(300);
    const others = production.filter((one) => {
      const licences = licencesOf(one);
      return licences.length === 0 || licences.some((licence) => !allowed.includes(licence));
    });
    expect(others.map(idOf)).toEqual([]);
    const needed = new Set(production.flatMap(licencesOf));
    expect(allowed.filter((licence) => !needed.has(licence))).toEqual([]);
    expect(allowed.filter((licence) => /^A?GPL/.test(licence))).toEqual([]);
  });

  test("states its licence by an SPDX expression, except for the packages that docs/licences.md names", () => {
    const unclear = production.filter(({ license }) => typeof license !== "string" || /^see /i.test(license));
    const named = [...read.keys()];
    expect(unclear.map(({ name }) => name).filter((name) => !named.includes(name))).toEqual([]);
    expect(named.filter((name) => !production.some((one) => one.name === name))).toEqual([]);
  });

  test("is in the bill of materials, and what only builds or tests is marked there: npm run sbom", async () => {
    const bill = JSON.parse(await npm(["run", "--silent", "sbom"])) as Bill;
    expect(bill.bomFormat).toBe("CycloneDX");
    const shipped = bill.components.filter(
      ({ properties = [] }) => !properties.some(({ name }) => name === "cdx:npm:package:development"),
    );
    const known = new Set(production.map(idOf));
    expect(shipped.length).toBeGreaterThan(250);
    expect(shipped.map(idOf).filter((id) => !known.has(id))).toEqual([]);
    const listed = new Set(shipped.map(idOf));
    const here = production.filter((one) => installedVersion(one.name) === one.version);
    expect(here.map(idOf).filter((id) => !listed.has(id))).toEqual([]);
    const refs = new Set([bill.metadata.component, ...bill.components].map((one) => one["bom-ref"]));
    const linked = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
    expect(linked.filter((ref) => !refs.has(ref))).toEqual([]);
  });
});

function installedVersion(name: string): string | null {
  try {
    return (JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")) as Package).version;
  } catch {
    return null;
  }
}

describe("npm run audit:dependencies", { timeout: TIMEOUT_MS }, () => {
  const advisory = {
    id: 1,
    url: "https://github.com/advisories/GHSA-0000-test-0001",
    title: "Reads everything",
    vulnerable_versions: "*",
    cwe: [],
    cvss: { score: 9.8, vectorString: null },
  };

  test.each([
    ["critical", "zod", false],
    ["high", "zod", false],
    ["moderate", "zod", true],
    ["critical", "vitest", true],
  ])("a %s advisory about %s passes: %s", async (severity, name, passes) => {
    const { passed, text } = await audit({ [name]: [{ ...advisory, severity }] });
    expect(passed).toBe(passes);
    expect(passed || text.includes("GHSA-0000-test-0001")).toBe(true);
  });
});

/** Runs the audit against a registry of our own that knows these advisories. */
async function audit(advisories: Record<string, object[]>): Promise<{ passed: boolean; text: string }> {
  const registry = createServer((request, response) => {
    request.resume();
    const isAudit = request.url?.endsWith("/advisories/bulk") === true;
    response.writeHead(isAudit ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(isAudit ? advisories : {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  // npm remembers advisories by their number.
  const cache = mkdtempSync(join(tmpdir(), "qm-audit-"));
  const env = {
    npm_config_cache: cache,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: "0",
    npm_config_audit: "true",
  };
  try {
    return { passed: true, text: await npm(["run", "audit:dependencies", "--", "--package-lock-only"], env) };
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return { passed: false, text: stdout + stderr };
  } finally {
    rmSync(cache, { recursive: true, force: true });
    registry.closeAllConnections();
    await new Promise((resolve) => registry.close(resolve));
  }
}

test("Dependabot ignores majors of packages that package.json names", () => {
  const { updates } = parse(readFileSync(".github/dependabot.yml", "utf8")) as {
    readonly updates: readonly {
      readonly directory: string;
      readonly ignore?: readonly { readonly "dependency-name": string }[];
    }[];
  };
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as Record<
    "dependencies" | "devDependencies",
    Record<string, string>
  >;
  const names = Object.keys({ ...dependencies, ...devDependencies });
  const ignored = updates
    .filter(({ directory }) => directory === "/")
    .flatMap(({ ignore = [] }) => ignore.map((entry) => entry["dependency-name"]));
  const isNamed = (pattern: string) =>
    names.some((name) => (pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
  expect(ignored.length).toBeGreaterThan(5);
  expect(ignored.filter((pattern) => !isNamed(pattern))).toEqual([]);
});
