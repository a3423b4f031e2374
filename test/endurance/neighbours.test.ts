import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Stage } from "@/test/endurance/scenario";
import { again, LONG, survival, SURVIVED, untilReady } from "@/test/endurance/survival";
import { makeWorld, type World } from "@/test/endurance/world";
import type { Instance } from "@/test/support/processes/instance";
import { makeKey } from "@/test/support/servers/issuer";
import { hasRedis, startRedis } from "@/test/support/servers/redis";

// What a gateway talks to besides its database is lost, lies or dawdles: Redis, an issuer, clients, its own clock. The
// invariants are those of chaos.test.ts.

vi.setConfig({ testTimeout: LONG ? 600_000 : 60_000, hookTimeout: 120_000 });
/** Debian's `faketime`. */
const FAKETIME = ["x86_64", "aarch64"]
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`)
  .find((path) => existsSync(path));
/** Clients that do not behave. */
const DAWDLERS = LONG ? 400 : 150;
/** docs/reference/promises.md#limits-on-input. */
const HEADERS_MS = 10_000 + 2_500;

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world?.stop());

/** Runs a separate gateway under load, and returns what survived. */
async function withGateway(
  name: string,
  env: Record<string, string>,
  scenario: (stage: Stage, gateway: Instance) => Promise<void>,
): Promise<unknown> {
  const gateway = await world.gateway(env);
  await gateway.start();
  await untilReady(gateway);
  const survived = await survival(world, gateway, name, (stage) => scenario(stage, gateway));
  await gateway.end();
  return survived;
}

describe.skipIf(!hasRedis())("Redis (where redis-server is installed)", () => {
  it("may be lost and return: PostgreSQL counts meanwhile, and no answer is wrong", async () => {
    let redis = await startRedis();
    onTestFinished(() => redis.stop());
    const survived = await withGateway("Redis lost", { REDIS_URL: redis.url }, async (stage) => {
      for (let time = 0; time < (LONG ? 10 : 1); time += 1) {
        await stage.goOn(1_000);
        // Not a fault that may be noticed: whatever is wrong from here on is a violation.
        await redis.stop();
        await stage.goOn(1_500);
        redis = await startRedis(Number(new URL(redis.url).port));
        await stage.goOn(1_000);
      }
    });
    expect(survived).toEqual(SURVIVED);
  });
});

describe("an issuer", () => {
  /** Sends a token that is signed by a key which the issuer has never had. */
  async function forged(gateway: Instance): Promise<number> {
    const token = await world.issuer.token({}, { key: await makeKey("ES256", `forged-${Math.random()}`) });
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${gateway.origin}/api/agents/tools`, { headers })).status;
  }

  it("that is gone, huge, slow or malformed affects no known key, and authenticates no other", async () => {
    const survived = await withGateway("issuer hostile", {}, async (stage, gateway) => {
      while (!stage.seen.some(({ kind, status }) => kind === "token" && status === 200)) await stage.goOn(50);
      const fetched = world.issuer.fetches();
      const answers: (() => void)[] = [
        () => world.issuer.setAvailable(false),
        () => world.issuer.serve(`{"keys":[${'{"kty":"EC"},'.repeat(100_000)}{}]}`),
        () => world.issuer.serve("\u0000 rubbish"),
        () => world.issuer.serve({ keys: "none" }),
      ];
      for (const answer of answers) {
        world.issuer.setAvailable(true);
        answer();
        const statuses = await Promise.all(Array.from({ length: 20 }, () => forged(gateway)));
        expect(new Set(statuses)).toEqual(new Set([401]));
        await stage.goOn(LONG ? 10_000 : 300);
      }
      world.issuer.setAvailable(true);
      world.issuer.serve(null);
      // At most one fetch in 30 s, whatever the tokens say (docs/reference/promises.md#keys-of-an-issuer).
      expect(world.issuer.fetches() - fetched).toBeLessThanOrEqual(LONG ? 3 : 1);
    });
    expect(survived).toEqual(SURVIVED);
  });

  it("whose keys arrive a byte at a time delays no other request", async () => {
    const dripping = await drip();
    onTestFinished(() => void dripping.server.close());
    await world.query(`update issuer set "jwksUri" = $1 where name = 'corp'`, [dripping.url]);
    onTestFinished(async () => {
      await world.query(`update issuer set "jwksUri" = $1 where name = 'corp'`, [world.issuer.jwksUri]);
    });
    const gateway = await world.gateway({ OUTBOUND_ALLOW: `${world.upstream.host},${dripping.host}` });
    await gateway.start();
    await untilReady(gateway);
    const began = performance.now();
    const headers = { authorization: `Bearer ${await world.issuer.token()}` };
    const waits = fetch(`${gateway.origin}/api/agents/tools`, { headers }).then(({ status }) => status);
    const known = { authorization: `Bearer ${world.key}` };
    for (let asked = 0; asked < 20; asked += 1) {
      const before = performance.now();
      expect((await fetch(`${gateway.origin}/api/agents/tools`, { headers: known })).status).toBe(200);
      expect(performance.now() - before).toBeLessThan(1_500);
    }
    expect(await waits).toBe(401);
    // 5 s for a key set, and some.
    expect(performance.now() - began).toBeLessThan(5_000 + 2_500);
    await gateway.end();
  });
});

/** A key set that never ends. */
async function drip(): Promise<{ readonly server: Server; readonly host: string; readonly url: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" }).write('{"keys":[');
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return { server, host, url: `http://${host}/jwks` };
}

describe("clients", () => {
  it("that send a byte at a time, or never read, are disconnected, and affect no other client", async () => {
    const survived = await withGateway("slow clients", {}, async (stage, gateway) => {
      const { hostname, port } = new URL(gateway.origin);
      const auth = `authorization: Bearer ${world.key}\r\n`;
      const openings = [
        "GET /api/agents/tools HTTP/1.1\r\nhost: a\r\nx-slow: ",
        `POST /api/agents/tools/call HTTP/1.1\r\nhost: a\r\n${auth}content-type: application/json\r\ncontent-length: 1000\r\n\r\n{`,
        `GET /api/agents/stream HTTP/1.1\r\nhost: a\r\n${auth}\r\n`,
      ];
      const sockets: Socket[] = [];
      for (let one = 0; one < DAWDLERS; one += 1) {
        const socket = connect(Number(port), hostname).on("error", () => {});
        sockets.push(socket);
        // Never read, so that data sent to it accumulates.
        socket.pause().write(openings[one % openings.length] ?? "");
      }
      const timer = setInterval(() => sockets.forEach((socket, one) => one % 3 < 2 && socket.write("a")), 500);
      onTestFinished(() => clearInterval(timer));
      const headers = sockets.filter((_, one) => one % 3 === 0);
      for (const socket of headers) socket.resume();
      const began = performance.now();
      const left = () => headers.filter((socket) => !socket.closed).length;
      while (left() > 0 && performance.now() - began < HEADERS_MS) await stage.goOn(100);
      expect(left(), "clients that have not sent their headers").toBe(0);
      for (const socket of sockets) socket.destroy();
    });
    expect(survived).toEqual(SURVIVED);
  });
});

describe("a clock", () => {
  it.skipIf(FAKETIME === undefined)(
    "that is wrong, ahead or behind, lets nothing happen that is refused, and the log stays whole (where faketime is installed)",
    async () => {
      // By the database's clock: a process with a fast clock would count all others as dead, and close their calls.
      const seenOff = `select id from instance where "seenAt" > now() + interval '10 seconds'
        union all select 'nobody' where not exists (select from instance where "seenAt" > now() - interval '15 seconds')`;
      // Behind by more than 30 s, tokens that were issued just now are of the future to it, and refused.
      for (const skew of ["+45s", "-25s"]) {
        const env = { LD_PRELOAD: FAKETIME ?? "", FAKETIME: skew, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
        const survived = await withGateway(`clock ${skew}`, env, async (stage) => {
          await stage.goOn(LONG ? 60_000 : 1_500);
          expect(await world.query(seenOff)).toEqual([]);
        });
        expect(survived).toEqual(SURVIVED);
      }
    },
  );

  it("may jump within a process's life", async () => {
    // A process that was stopped for a while sees the clock jump, and its timers are late.
    const survived = await withGateway("process stopped", {}, (stage, gateway) =>
      again(stage, async () => {
        gateway.signal("SIGSTOP");
        await delay(2_000);
        gateway.signal("SIGCONT");
      }),
    );
    expect(survived).toEqual(SURVIVED);
  });
});
