import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openIntents } from "@/test/endurance/invariants";
import type { Stage } from "@/test/endurance/scenario";
import { again, LONG, survival, SURVIVED, untilReady } from "@/test/endurance/survival";
import { makeWorld, type World } from "@/test/endurance/world";
import type { Instance } from "@/test/support/processes/instance";

// Faults of every kind under load, on a real gateway and a PostgreSQL that keeps what it commits. Whatever breaks: no effect
// without its row, nothing allowed that is refused, nothing wrong while nothing is broken, clients get the answers that the
// log has, and the seals hold. `npm run chaos` runs longer.

vi.setConfig({ testTimeout: LONG ? 600_000 : 60_000, hookTimeout: 120_000 });

let world: World;
let gateway: Instance;

beforeAll(async () => {
  world = await makeWorld();
  gateway = await world.gateway();
  await gateway.start();
  await untilReady(gateway);
});
afterAll(() => world?.stop());
// Faults left by one scenario must not affect the next.
afterEach(() => gateway.wire.mend());

/** Plays a scenario on the gateway of this file. */
const played = (name: string, scenario: (stage: Stage) => Promise<void>) => survival(world, gateway, name, scenario);

describe("under load", () => {
  it("nothing is wrong while nothing is broken", async () => {
    expect(await played("nothing broken", (stage) => stage.goOn(1_500))).toEqual(SURVIVED);
  });

  it("a gateway that is killed again and again serves again within 5 s", async () => {
    let starting = Promise.resolve();
    const survived = await played("gateway killed", (stage) =>
      again(
        stage,
        async () => {
          await starting;
          await gateway.kill();
          // The fault ends here: from now on the start's time is measured.
          starting = gateway.start();
        },
        2,
      ),
    );
    await starting;
    expect(survived).toEqual(SURVIVED);
  });

  it("a PostgreSQL that is killed again and again loses nothing that was answered", async () => {
    const survived = await played("PostgreSQL killed", (stage) => again(stage, () => world.restartPostgres(), 2));
    expect(survived).toEqual(SURVIVED);
  });

  it("a database whose connections break stops decisions, and is back within 5 s", async () => {
    const survived = await played("connections cut", (stage) =>
      again(stage, async () => {
        gateway.wire.cut();
        await stage.goOn(1_000);
        gateway.wire.mend();
      }),
    );
    expect(survived).toEqual(SURVIVED);
  });

  it("a database that falls silent stops decisions, and is back within 5 s", async () => {
    const survived = await played("database silent", (stage) =>
      again(stage, async () => {
        gateway.wire.hush();
        await stage.goOn(2_500);
        gateway.wire.mend();
      }),
    );
    expect(survived).toEqual(SURVIVED);
  });

  it("a slow way to the database makes calls slow or refused, never wrong", async () => {
    const survived = await played("database slow", (stage) =>
      again(stage, async () => {
        gateway.wire.slow(300);
        await stage.goOn(3_000);
        gateway.wire.mend();
      }),
    );
    expect(survived).toEqual(SURVIVED);
  });

  it("a full disk stops calls before they run", async ({ skip }) => {
    const { ownDisk } = world;
    if (ownDisk === null) return skip("no file system can be mounted here (not root)");
    const filler = join(ownDisk, "filler");
    onTestFinished(() => rmSync(filler, { force: true }));
    const survived = await played("disk full", (stage) =>
      again(stage, async () => {
        const before = stage.seen.length;
        fillDisk(filler);
        await stage.goOn(2_000);
        const calls = stage.seen.slice(before).filter(({ kind }) => kind === "order");
        // The log written ahead has room for some more.
        expect(calls.filter(({ status }) => status === 503).length, "calls that were refused").toBeGreaterThan(0);
        rmSync(filler);
        await world.restartPostgres();
      }),
    );
    expect(survived).toEqual(SURVIVED);
  });
});

function fillDisk(file: string): void {
  const descriptor = openSync(file, "w");
  const zeros = Buffer.alloc(8 * 1024 * 1024);
  try {
    for (;;) writeSync(descriptor, zeros);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  } finally {
    closeSync(descriptor);
  }
}

describe("afterwards", () => {
  it("no call is left open: those whose process died are interrupted", async () => {
    // As if the dead process had been silent for so long.
    await world.query(
      `update instance set "seenAt" = "seenAt" - interval '1 minute' where "seenAt" < now() - interval '11 seconds'`,
    );
    await vi.waitFor(async () => expect(await openIntents(world)).toBe(0), { timeout: 45_000, interval: 200 });
  });
});
