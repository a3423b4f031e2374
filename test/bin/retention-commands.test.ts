import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sealKeys } from "@/lib/audit/seal/trusted-keys";
import { settingsInput } from "@/lib/resources/settings";
import { readSettings, saveSettings } from "@/lib/store/config/settings";
import { ADMIN } from "@/test/api/agents-world";
import { LogWorld } from "@/test/audit/log-world";
import { command, commandHere } from "@/test/support/command";
import { useDatabase } from "@/test/support/database";

// What lets months of the log go, and what reads their archives, as processes: what they print and end with.

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
const world = new LogWorld(database);
const MONTH = "2026-04";
const folder = mkdtempSync(join(tmpdir(), "quartermaster-retention-"));
const archives = join(folder, "archives");
const keys = join(folder, "keys.json");
/** The calls of the old month, and of this one. */
let old: string[] = [];
let present: string[] = [];

const run = (args: readonly string[]) => command(args, { DATA_DIR: folder });
const runHere = (args: readonly string[], env = {}) => commandHere(args, { DATA_DIR: folder, ...env });

beforeAll(async () => {
  old = await world.callIn(MONTH);
  await world.seal();
  present = await world.call();
  await world.seal();
  writeFileSync(keys, JSON.stringify({ keys: sealKeys() }));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("retention", () => {
  const here = (args: readonly string[], env = { ARCHIVE_DIR: archives }) => runHere(["retention", ...args], env);
  const keep = async (months: number | null) => {
    const { version } = await readSettings();
    await saveSettings(ADMIN, settingsInput.parse({ retention: { months } }), version);
  };

  it("has nothing to do while the settings keep every month", async () => {
    expect(await here(["--apply"])).toMatchObject({
      code: 0,
      out: expect.stringContaining("There is nothing to archive or drop."),
    });
  });

  it("lists the due steps, and does none of them", async () => {
    await keep(1);
    expect(await here([])).toMatchObject({
      code: 0,
      out: `archive  ${MONTH}\ndrop  ${MONTH}\nNothing was changed. To archive and drop, add --apply.\n`,
    });
    expect(JSON.parse((await here(["--json"])).out)).toMatchObject({ applied: false, steps: { length: 2 } });
    expect(await database.query(`select 1 from execution where "callId" = $1`, [old[0]])).toHaveLength(1);
  });

  it.each([
    [["now"], { ARCHIVE_DIR: archives }, "Usage: npx quartermaster retention"],
    [["--apply"], { ARCHIVE_DIR: "" }, "Set ARCHIVE_DIR or ARCHIVE_URL"],
    [["--force"], { ARCHIVE_DIR: archives }, "Unknown option '--force'"],
  ])("%j is wrong input: a sentence, and 2", async (args, env, sentence) => {
    expect(await here(args, env)).toEqual({ code: 2, out: "", error: expect.stringContaining(sentence) });
  });

  it("neither archives nor drops a month with a changed row, says so, and exits with 1", async () => {
    await world.copied(["execution"], async () => {
      await database.query(`update execution set asked = 'other' where "callId" = '${old[0]}'`);
      const { code, error } = await here(["--apply"]);
      expect(code).toBe(1);
      expect(error).toContain(`${MONTH}: 1 rows of ${MONTH} are not sealed, or differ from their seals`);
      expect(error).toContain(`${MONTH}: The month ${MONTH} is not archived.`);
    });
    expect(await database.query(`select 1 from execution where "callId" = $1`, [old[0]])).toHaveLength(1);
  });

  it("archives a month and then drops it; the log stays intact, and verify names the archive", async () => {
    expect(await here(["--apply"])).toMatchObject({
      code: 0,
      error: `${MONTH}: archived\n${MONTH}: dropped\n`,
    });
    expect(await database.query(`select 1 from execution where "callId" = $1`, [old[0]])).toEqual([]);
    const { code, out } = await runHere(["verify"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        new RegExp(`^${MONTH}: 6 rows were dropped with export arc_\\S+ .* by command line\\.$`, "m"),
      ),
    ]);
  });
});

describe("verify-archive", () => {
  let archive = "";
  beforeAll(() => {
    const month = join(archives, MONTH);
    archive = join(
      month,
      readdirSync(month).find((name) => readdirSync(join(month, name)).includes("manifest.json"))!,
    );
  });
  const verify = (...args: string[]) => run(["verify-archive", ...args, "--keys", keys]);

  it("reports a valid archive without a database, and exits with 0", async () => {
    expect(await verify(archive)).toMatchObject({
      code: 0,
      out: `The archive of ${MONTH} is intact: 6 rows and 0 bodies match their seals.\n`,
    });
    expect(JSON.parse((await verify(archive, "--json")).out)).toEqual({ holds: true, problems: [] });
  });

  it("proves a call that the log no longer has, and verify-proof accepts the proof", async () => {
    const { code, out } = await verify(archive, "--prove", old[0]!);
    expect(code).toBe(0);
    const proof = join(folder, "proof.json");
    writeFileSync(proof, out);
    const proven = await run(["verify-proof", proof, "--keys", keys, "--json"]);
    expect([proven.code, JSON.parse(proven.out)]).toEqual([0, { callId: old[0], holds: true, problems: [] }]);
    expect(await verify(archive, "--prove", present[0]!)).toMatchObject({
      code: 2,
      error: expect.stringContaining(`${present[0]} is not in the archive of ${MONTH}.`),
    });
  });

  it("with a changed part or manifest reports that, and exits with 1", async () => {
    const copy = join(folder, "changed");
    mkdirSync(copy);
    for (const name of readdirSync(archive)) writeFileSync(join(copy, name), readFileSync(join(archive, name)));
    const manifest = JSON.parse(readFileSync(join(copy, "manifest.json"), "utf8"));
    writeFileSync(join(copy, "manifest.json"), JSON.stringify({ ...manifest, actor: "somebody" }));
    expect(await verify(copy)).toMatchObject({
      code: 1,
      out: expect.stringMatching(/^The archive is not intact\.\n./),
    });
    writeFileSync(join(copy, "manifest.json"), JSON.stringify(manifest));
    const [part] = manifest.parts;
    const bytes = readFileSync(join(copy, part.name));
    bytes[40]! ^= 1;
    writeFileSync(join(copy, part.name), bytes);
    const { code, out } = await verify(copy, "--json");
    expect([code, JSON.parse(out)]).toMatchObject([1, { holds: false }]);
  });

  it("of an invalid folder, or without keys, is wrong input: a sentence, and 2", async () => {
    const none = await verify(join(folder, "nowhere"));
    expect(none).toEqual({ code: 2, out: "", error: expect.stringMatching(/manifest\.json|archive/) });
    const keyless = await run(["verify-archive", archive]);
    expect(keyless).toEqual({ code: 2, out: "", error: expect.stringContaining("verify-archive ARCHIVE_DIR/2026-01") });
  });
});
