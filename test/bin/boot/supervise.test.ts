import { onTestFinished, expect, test } from "vitest";
import { supervise } from "@/bin/boot/supervise.mjs";
import { freePort } from "@/test/support/servers/free-port";
import { isAlive } from "@/test/support/servers/throwaway-server";

interface Answer {
  readonly pid: number;
  readonly lastMessage: { readonly app: { readonly port: number; readonly secret: string } | null } | null;
  readonly nice: number;
  readonly hasSecret: boolean;
}

const program = (port: number, more: object, file = "test/bin/stand-in.mjs") => ({
  file,
  args: [String(port)],
  cwd: process.cwd(),
  env: { ...process.env, ...more },
  quiet: true,
});

type AppProgram = Parameters<typeof supervise>[0]["app"];

async function supervised(app: AppProgram = program) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const both = await supervise({
    gateway: (more) => program(port, more),
    app,
    health: url,
  });
  onTestFinished(both.stop);
  const ask = async (at = url, headers: Record<string, string> = {}) =>
    fetch(at, { headers }).then(
      async (answer) => (answer.ok ? ((await answer.json()) as Answer) : answer.status),
      () => null,
    );
  const gateway = async () => (await ask()) as Answer | null;
  const askApp = async () => {
    const to = (await gateway())?.lastMessage?.app;
    if (to === null || to === undefined) return null;
    return (await ask(`http://127.0.0.1:${to.port}/`, { "x-gateway-secret": to.secret })) as Answer | null;
  };
  return { ...both, url, ask, gateway, app: askApp };
}

test("the app has the secret and a lower priority; the gateway gets the secret by message, and answers without it", async () => {
  const both = await supervised();
  expect(await both.gateway()).toMatchObject({
    hasSecret: false,
    lastMessage: { app: { secret: expect.any(String) as string } },
  });
  expect(await both.app()).toMatchObject({ hasSecret: true, pid: both.pids().app });
  const lower = process.platform === "linux" ? 5 : 0;
  expect([(await both.gateway())?.nice, (await both.app())?.nice]).toEqual([0, lower]);
  const { port } = (await both.gateway())!.lastMessage!.app!;
  expect(await both.ask(`http://127.0.0.1:${port}/`)).toBe(403);
});

test("an app that crashes is started again within 2 s, and the gateway is the same process", async () => {
  const both = await supervised();
  const before = both.pids();
  process.kill(before.app, "SIGKILL");
  await expect.poll(async () => (await both.gateway())?.lastMessage?.app ?? null).toBeNull();
  await expect.poll(() => both.pids().app, { timeout: 2_000 }).not.toBe(0);
  await expect.poll(async () => (await both.app())?.pid ?? 0, { timeout: 10_000 }).toBe(both.pids().app);
  expect(both.pids()).toMatchObject({ gateway: before.gateway });
  expect(both.pids().app).not.toBe(before.app);
});

test("a gateway that crashes is started again within 2 s and knows the app, which is the same process", async () => {
  const both = await supervised();
  const before = both.pids();
  await fetch(`${both.url}crash`).catch(() => {});
  await expect.poll(() => [0, before.gateway].includes(both.pids().gateway), { timeout: 2_000 }).toBe(false);
  await expect.poll(async () => (await both.app())?.pid, { timeout: 10_000 }).toBe(before.app);
});

test("each crash soon after a start doubles the pause before the next", async () => {
  const both = await supervised();
  const pauses: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    await expect.poll(() => both.pids().app, { timeout: 5_000 }).toBeGreaterThan(0);
    const { app } = both.pids();
    process.kill(app, "SIGKILL");
    const from = performance.now();
    await expect.poll(() => ![0, app].includes(both.pids().app), { timeout: 5_000, interval: 10 }).toBe(true);
    pauses.push(performance.now() - from);
    await expect.poll(async () => (await both.app())?.pid ?? 0, { timeout: 5_000 }).toBe(both.pids().app);
  }
  expect(pauses[0]).toBeGreaterThan(200);
  expect(pauses[1]).toBeGreaterThan(450);
  expect(pauses[2]).toBeGreaterThan(950);
}, 20_000);

/** The operating system refuses to start it. */
const unstartable: AppProgram = (at, more) => ({ ...program(at, more), cwd: "/no/such/folder" });

test.each<[what: string, failing: AppProgram]>([
  ["the operating system does not start it", unstartable],
  [
    "there is no port or no memory for it",
    () => {
      throw new Error("no port");
    },
  ],
])(
  "an app whose restart fails because %s is tried again",
  async (_what, failing) => {
    let starts = 0;
    const both = await supervised((at, more) => {
      starts += 1;
      return starts === 2 ? failing(at, more) : program(at, more);
    });
    process.kill(both.pids().app, "SIGKILL");
    await expect.poll(() => starts, { timeout: 10_000 }).toBe(3);
    await expect.poll(async () => (await both.app())?.pid ?? 0, { timeout: 10_000 }).toBe(both.pids().app);
  },
  30_000,
);

test("a program that the operating system does not start ends the first start", async () => {
  const port = await freePort();
  const gateway = (more: object) => program(port, more);
  const started = supervise({ gateway, app: unstartable, health: `http://127.0.0.1:${port}/` });
  await expect(started).rejects.toThrow(/The server ended[^]*ENOENT/);
});

test("a stop ends both; a program that cannot start ends the start, and the other with it", async () => {
  const both = await supervised();
  const { gateway, app } = both.pids();
  await both.stop();
  expect([await both.stopped, isAlive(gateway), isAlive(app)]).toEqual(["stopped", false, false]);
  const port = await freePort();
  const started = supervise({
    gateway: (more) => program(port, more),
    app: (at, more) => program(at, more, "test/bin/no-such-program.mjs"),
    health: `http://127.0.0.1:${port}/`,
  });
  await expect(started).rejects.toThrow(/The server ended[^]*no-such-program/);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow("fetch failed");
});
