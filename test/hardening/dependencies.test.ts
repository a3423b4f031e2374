import { execFile } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { ALLOWED, licencesIn, licencesPage, productionPackages } from "@/bin/licences.mjs";

const root = join(import.meta.dirname, "../..");

describe("what production installs", () => {
  test("is under licences of the list alone, and under no GPL", () => {
    const others = productionPackages(root).filter(
      ({ licence }) => licence === "" || licencesIn(licence).some((one) => !ALLOWED.includes(one)),
    );
    expect(others).toEqual([]);
    expect(ALLOWED.filter((licence) => /^A?GPL/.test(licence))).toEqual([]);
  });

  test("says of itself what the lock file says of it", () => {
    const differing = productionPackages(root).flatMap(({ name, version, licence }) => {
      const own = installed(name);
      const stated = typeof own?.license === "string" ? own.license : licence;
      return own?.version === version && licencesIn(stated).join() !== licencesIn(licence).join()
        ? [[name, stated]]
        : [];
    });
    // Their own fields are no SPDX expressions: read by hand.
    expect(differing.map(([name]) => name)).toEqual(["@visx/vendor", "geist"]);
  });

  test("is in the bill of materials, and nothing that only builds or tests: npm run sbom", async () => {
    const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "sbom"], { cwd: root, maxBuffer: 2 ** 26 });
    const { bomFormat, metadata, components, dependencies } = JSON.parse(stdout) as {
      readonly bomFormat: string;
      readonly metadata: { readonly component: { readonly "bom-ref": string } };
      readonly components: readonly { readonly name: string; readonly version: string; readonly "bom-ref": string }[];
      readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
    };
    expect(bomFormat).toBe("CycloneDX");
    const idOf = ({ name, version }: { readonly name: string; readonly version: string }) => `${name}@${version}`;
    const listed = new Set(components.map(idOf));
    const wanted = productionPackages(root);
    const here = wanted.filter(({ name, version }) => installed(name)?.version === version).map(idOf);
    expect(here.length).toBeGreaterThan(250);
    expect(here.filter((id) => !listed.has(id))).toEqual([]);
    const all = new Set(wanted.map(idOf));
    expect([...listed].filter((id) => !all.has(id))).toEqual([]);
    const known = new Set([metadata.component, ...components].map((one) => one["bom-ref"]));
    expect(dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]).filter((ref) => !known.has(ref))).toEqual(
      [],
    );
  });

  test("is what docs/licences.md says: npm run licences", () => {
    expect(readFileSync(join(root, "docs/licences.md"), "utf8")).toBe(licencesPage(root));
  });
});

function installed(name: string): { version: string; license?: unknown } | undefined {
  try {
    return JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8")) as never;
  } catch {
    return undefined;
  }
}

describe("the audit of dependencies", () => {
  const advisory = {
    id: 1,
    url: "https://github.com/advisories/GHSA-0000-test-0001",
    title: "Reads everything",
    severity: "critical",
    vulnerable_versions: "*",
    cwe: [],
    cvss: { score: 9.8, vectorString: null },
  };

  test("fails on a critical advisory that nobody looked at, naming package and advisory", async () => {
    const { code, text } = await audit({ zod: [advisory] });
    expect(text).toContain("critical: zod *: Reads everything (https://github.com/advisories/GHSA-0000-test-0001)");
    expect(code).toBe(1);
  });

  test("passes one that is excepted, until its day is over", async () => {
    const excepted = { id: "GHSA-0000-test-0001", reason: "Not reached." };
    expect((await audit({ zod: [advisory] }, [{ ...excepted, until: "2999-12-31" }])).code).toBe(0);
    expect((await audit({ zod: [advisory] }, [{ ...excepted, until: "2020-01-01" }])).code).toBe(1);
  });

  test("does not fail on a moderate one, and asks for exceptions of nothing to be removed", async () => {
    expect((await audit({ zod: [{ ...advisory, severity: "moderate" }] })).code).toBe(0);
    const { code, text } = await audit({}, [{ id: "GHSA-0000-test-0001", reason: "", until: "2999-12-31" }]);
    expect([code, text.includes("remove it")]).toEqual([1, true]);
  });

  test("says that nothing was audited where the registry does not answer", async () => {
    const { code, text } = await audit(null);
    expect([code, /^Dependencies were not audited: the registry does not answer \(.+\)/.test(text)]).toEqual([0, true]);
  });

  test("knows why and until when of each exception", () => {
    const exceptions = JSON.parse(readFileSync(join(root, "bin/audit-exceptions.json"), "utf8")) as object[];
    for (const exception of exceptions)
      expect(exception).toEqual({
        id: expect.stringMatching(/^GHSA-/) as string,
        reason: expect.stringMatching(/\w/) as string,
        until: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      });
    expect(exceptions.length).toBeLessThan(10);
  });
});

/** Runs the audit against a registry of our own that knows these advisories; `null` = one that answers no such question. */
async function audit(advisories: Record<string, object[]> | null, exceptions: object[] = []) {
  const registry = createServer((request, response) => {
    request.resume();
    const asked = request.url?.endsWith("/advisories/bulk") === true && advisories !== null;
    response.writeHead(asked ? 200 : 404, { "content-type": "application/json" });
    response.end(JSON.stringify(asked ? advisories : {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
  const folder = await mkdtemp(join(tmpdir(), "qm-audit-"));
  const file = join(folder, "exceptions.json");
  writeFileSync(file, JSON.stringify(exceptions));
  const env = {
    ...process.env,
    AUDIT_EXCEPTIONS: file,
    npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
    npm_config_fetch_retries: "0",
    // npm remembers advisories by their number.
    npm_config_cache: folder,
  };
  const ended = await new Promise<{ code: number; text: string }>((resolve) => {
    execFile(process.execPath, ["bin/audit-dependencies.mjs"], { cwd: root, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
  rmSync(folder, { recursive: true, force: true });
  registry.closeAllConnections();
  await new Promise((resolve) => registry.close(resolve));
  return ended;
}
