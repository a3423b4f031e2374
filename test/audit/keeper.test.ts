import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { checkpointAddress, checkpointFile, newestOf } from "@/lib/audit/seal/checkpoint";
import * as alarm from "@/lib/audit/seal/alarm";
import { LogKeeper } from "@/lib/audit/seal/keeper";
import { stopJobs } from "@/lib/jobs/runner";
import type { SignedSeal } from "@/lib/contracts/log/seal";
import { verifyLog } from "@/lib/audit/verify/verify";
import { outboundClient } from "@/lib/outbound/fetch";
import { LogWorld } from "@/test/audit/log-world";
import { startSealing } from "@/test/support/jobs/seal-log";
import { useDatabase } from "@/test/support/database";
import { serve } from "@/test/support/servers/serve";

const database = useDatabase();
const world = new LogWorld(database);
const folder = mkdtempSync(join(tmpdir(), "checkpoints-"));
const IN_TIME = { timeout: 10_000 };
/** The beginning of an hour long past. */
const HOUR = Date.parse("2026-01-01T00:00:00Z");
let path = "";
let files = 0;

beforeEach(() => {
  path = join(folder, `${(files += 1)}.jsonl`);
});

/**
 * Runs both checks of a keeper, at a minute from the start. Transactions anywhere on the server may delay sealing, so
 * the test waits for it.
 */
async function runChecksAt(keeper: LogKeeper, minute: number): Promise<void> {
  const now = new Date(Date.now() + minute * 60_000);
  await keeper.sealPending(now);
  await keeper.syncCheckpoints(now);
}

const alarms = () => database.query<{ data: object }>("select data from event where type = 'audit.alarm' order by at");

describe("the keeper of the log", () => {
  it("seals settled rows and copies the last seal to the checkpoint store, once a minute", async () => {
    const place = checkpointFile(path);
    const keeper = new LogKeeper([place]);
    await world.call();
    await runChecksAt(keeper, 0);
    await world.seal();
    await world.call();
    await runChecksAt(keeper, 0.1);
    const first = newestOf(await place.read());
    await world.seal();
    await world.call();
    await vi.waitFor(async () => {
      await runChecksAt(keeper, 1.1);
      expect(newestOf(await place.read())?.number).toBeGreaterThan(first?.number ?? 0);
    }, IN_TIME);
    const second = newestOf(await place.read());
    expect(readFileSync(path, "utf8").split("\n").length).toBeLessThanOrEqual(3);
    expect(await verifyLog({ checkpoints: await place.read() })).toMatchObject({ intact: true, checkpoint: second });
  });

  it("never copies an older seal after a newer one, whichever process sealed it", async () => {
    const copied: number[] = [];
    const add = async ({ number }: { number: number }) => void copied.push(number);
    const place = { add, readLast: async () => null, read: async () => [] };
    const [first, second] = [new LogKeeper([place]), new LogKeeper([place])];
    const seals = async () => (await database.query<{ last: number }>("select max(number) as last from seal"))[0]!.last;
    for (const keeper of [first, second]) {
      await world.call();
      const before = await seals();
      await vi.waitFor(async () => {
        await keeper.sealPending(new Date());
        expect(await seals()).toBeGreaterThan(before);
      }, IN_TIME);
    }
    await second.syncCheckpoints(new Date());
    await first.syncCheckpoints(new Date());
    const last = await seals();
    expect(copied).toEqual([last, last]);
  });

  it("copies the seal of a process that ended before copying it, but not after a rollback of the database", async () => {
    await world.call();
    // Sealed only: the work of a process that ends at once.
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    const place = checkpointFile(path);
    const another = new LogKeeper([place]);
    await another.syncCheckpoints(new Date());
    // The process that sealed may still copy the seal.
    expect(await place.read()).toEqual([]);
    await another.syncCheckpoints(new Date(Date.now() + 120_000));
    expect(await place.read()).toEqual([last]);

    const ahead = { ...last!, number: last!.number + 5 };
    await place.add(ahead);
    await new LogKeeper([place]).syncCheckpoints(new Date(Date.now() + 240_000));
    expect(await place.read()).toEqual([last, ahead]);
    await database.query("delete from event where type = 'audit.alarm'");
  });

  it("leaves the checkpoint of a rolled-back database as it is, although new rows are sealed", async () => {
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    const ahead = { ...last!, number: last!.number + 5 };
    // As at an address: it has the last one only.
    let kept: readonly SignedSeal[] = [ahead];
    const readLast = async () => newestOf(kept);
    const address = { add: async (seal: SignedSeal) => void (kept = [seal]), readLast, read: async () => kept };
    const away = () => Promise.reject(new Error("away"));
    const unreadable = { add: () => Promise.reject(new Error("written")), readLast: away, read: away };
    const keeper = new LogKeeper([unreadable, address]);
    await world.call();
    await vi.waitFor(async () => {
      await runChecksAt(keeper, 0);
      expect((await verifyLog({ checkpoints: [] })).last?.number).toBeGreaterThan(last!.number);
    }, IN_TIME);
    for (const minute of [0.5, 2]) await runChecksAt(keeper, minute);
    expect(kept).toEqual([ahead]);
    expect(await verifyLog({ checkpoints: kept })).toMatchObject({ intact: false });
    await database.query("delete from event where type = 'audit.alarm'");
  });

  it("announces a rolled-back database once", async () => {
    const place = checkpointFile(path);
    await world.call();
    await world.seal();
    const keeper = new LogKeeper([place]);
    const { last } = await verifyLog({ checkpoints: [] });
    await place.add({ ...last!, number: last!.number + 5 });
    await runChecksAt(keeper, 0);
    await runChecksAt(keeper, 2);
    expect(await alarms()).toEqual([{ data: { what: "rolled_back", seal: last!.number + 5 } }]);
  });

  it("seals in time when the checkpoint store does not answer", async () => {
    const never = new Promise<never>(() => {});
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    startSealing([{ add: () => never, readLast: () => never, read: () => never }]);
    try {
      await world.call();
      await vi.waitFor(
        async () => expect((await verifyLog({ checkpoints: [] })).last?.number).toBeGreaterThan(last!.number),
        { timeout: 6_500, interval: 200 },
      );
    } finally {
      await stopJobs();
    }
  });

  it("retries a failing store after a minute, fails until then, and writes to the others meanwhile", async () => {
    const file = checkpointFile(path);
    let asked = 0;
    const add = async () => {
      asked += 1;
      if (asked === 1) throw new Error("away");
    };
    const keeper = new LogKeeper([{ add, readLast: async () => null, read: async () => [] }, file]);
    await world.call();
    await world.seal();
    await world.call();
    await vi.waitFor(async () => {
      await keeper.sealPending(new Date());
      expect(await keeper.syncCheckpoints(new Date()).catch((error: Error) => error.message)).toBe("away");
    }, IN_TIME);
    for (const minute of [0.1, 0.2, 0.9]) await expect(runChecksAt(keeper, minute)).rejects.toThrow("away");
    expect([asked, (await file.read()).length]).toEqual([1, 1]);
    await runChecksAt(keeper, 1.1);
    expect(asked).toBe(2);
    await runChecksAt(keeper, 1.2);
  });

  it("fails while it cannot seal, and announces that at most once a minute", async () => {
    const keeper = new LogKeeper([]);
    await runChecksAt(keeper, 0);
    const announced = vi.spyOn(alarm, "announceUnsealed");
    await database.query("alter table seal rename to seal_away");
    try {
      for (const second of [1, 61, 62, 63, 100, 121, 122])
        await expect(keeper.sealPending(new Date(Date.now() + second * 1_000))).rejects.toThrow("seal");
    } finally {
      await database.query("alter table seal_away rename to seal");
    }
    expect(announced).toHaveBeenCalledTimes(2);
    await database.query("delete from event where type = 'audit.alarm'");
    await runChecksAt(keeper, 3);
  });

  it("has the tables of this month and the next two", async () => {
    await runChecksAt(new LogKeeper([]), 0);
    const names = await database.query<{ month: string }>(
      `select to_char(now() at time zone 'UTC' + make_interval(months => n), 'YYYY_MM') as month from generate_series(0, 2) n`,
    );
    for (const { month } of names)
      for (const table of ["execution", "execution_outcome", "execution_body"])
        expect(await database.query(`select to_regclass('${table}_${month}') as there`)).not.toEqual([{ there: null }]);
  });
});

describe("a checkpoint file", () => {
  it("ignores a last line that a crash cut; any other invalid line is refused", async () => {
    const place = checkpointFile(path);
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    await place.add(last!);
    appendFileSync(path, '{"number": 9');
    expect(await place.read()).toEqual([last]);
    appendFileSync(path, "\n");
    await expect(place.read()).rejects.toThrow("Line 2");
  });

  it("with a damaged line is an alarm, and a verification names the line", async () => {
    await database.query("delete from event where type = 'audit.alarm'");
    writeFileSync(path, "{}\n");
    const keeper = new LogKeeper([checkpointFile(path)]);
    for (const minute of [0, 2])
      await expect(keeper.syncCheckpoints(new Date(HOUR + minute * 60_000))).rejects.toThrow("is no seal");
    expect(await alarms()).toEqual([{ data: { what: "checkpoints" } }]);

    vi.stubEnv("CHECKPOINT_FILE", path);
    vi.resetModules();
    const { closeDatabase } = await import("@/lib/store/db/database");
    onTestFinished(async () => {
      await closeDatabase();
      vi.unstubAllEnvs();
    });
    const { ask } = await import("@/test/support/admin");
    const { GET: verify } = await import("@/app/api/admin/executions/verify/route");
    const { GET: seals } = await import("@/app/api/admin/executions/seals/route");
    expect(await ask(verify, "GET", "/api/admin/executions/verify")).toMatchObject({
      status: 409,
      json: { detail: expect.stringContaining("Line 1 of the checkpoints is no seal.") },
    });
    expect(await alarms()).toHaveLength(2);
    expect((await ask(seals, "GET", "/api/admin/executions/seals")).status).toBe(409);
    await database.query("delete from event where type = 'audit.alarm'");
  });

  it("continues after a cut last line, and every complete line counts", async () => {
    const place = checkpointFile(path);
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    await place.add(last!);
    appendFileSync(path, JSON.stringify(last).slice(0, 100));
    await place.add(last!);
    expect(await place.read()).toEqual([last, last]);
  });

  it("finds the last seal in the end of a large file, and reads every seal of it", async () => {
    const place = checkpointFile(path);
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    // Not even a seal: the end of the file is enough to read the last one.
    appendFileSync(path, `${"x".repeat(300_000)}\n`);
    for (let number = 1; number <= 400; number += 1) appendFileSync(path, `${JSON.stringify({ ...last, number })}\n`);
    expect((await place.readLast())?.number).toBe(400);
    await expect(place.read()).rejects.toThrow("Line 1 of the checkpoints is no seal.");
    writeFileSync(path, readFileSync(path, "utf8").slice(300_001));
    expect((await place.read()).map(({ number }) => number)).toEqual(Array.from({ length: 400 }, (_, at) => at + 1));
  });

  it("is empty when it does not exist", async () => {
    expect([await checkpointFile(path).read(), await checkpointFile(path).readLast()]).toEqual([[], null]);
  });
});

describe("a checkpoint at an address", () => {
  it("in an S3 bucket is signed, and its secret is never sent", async () => {
    const seen: [method: string, headers: Headers][] = [];
    const server = await serve(async (request) => {
      seen.push([request.method, request.headers]);
      return new Response(null, { status: request.method === "PUT" ? 200 : 404 });
    });
    const send = outboundClient({ allow: () => [server.host] });
    const place = checkpointAddress(`${server.origin}/bucket/checkpoint.json`, "S3 eu-1 AKIA s3cret", send);
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    await place.add(last!);
    await place.read();
    expect(seen.map(([method]) => method)).toEqual(["PUT", "GET"]);
    for (const [, headers] of seen) {
      expect(headers.get("authorization")).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIA\/\d{8}\/eu-1\/s3\/aws4_request, /,
      );
      expect(headers.get("x-amz-content-sha256")).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify([...headers])).not.toContain("s3cret");
    }
    await server.close();
  });

  it("is written and read with the credential", async () => {
    let kept: string | null = null;
    const seen: string[] = [];
    const server = await serve(async (request) => {
      seen.push(`${request.method} ${request.headers.get("authorization")}`);
      if (request.method === "PUT") kept = await request.text();
      return kept === null ? new Response(null, { status: 404 }) : new Response(kept);
    });
    const send = outboundClient({ allow: () => [server.host] });
    const place = checkpointAddress(`${server.origin}/checkpoint.json`, "Bearer x", send);
    expect(await place.read()).toEqual([]);
    await world.call();
    await world.seal();
    const { last } = await verifyLog({ checkpoints: [] });
    await place.add(last!);
    expect(await place.read()).toEqual([last]);
    expect(seen).toEqual(["GET Bearer x", "PUT Bearer x", "GET Bearer x"]);
    await server.close();
  });
});
