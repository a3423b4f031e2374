import { expect, it, vi } from "vitest";
import { registerRunning, runningHere } from "@/lib/calls/queue/running";
import { startJobs, stopJobs } from "@/lib/jobs/runner";
import { jobTable } from "@/lib/jobs/table";
import { endBackground } from "@/lib/server/background";
import {
  RefusalCounter,
  REFUSAL_ROWS,
  countRefusal,
  countRepeatedRead,
  flushRefusals,
  type CountedRefusal,
} from "@/lib/store/audit/refusals";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();

/** A counter that keeps its rows here, with a clock that the test sets. */
function counting() {
  const written: CountedRefusal[][] = [];
  const clock = { now: 1_700_000_000_000, fails: false };
  const write = async (rows: readonly CountedRefusal[]) => {
    if (clock.fails) throw new Error("the store is lost");
    written.push([...rows]);
  };
  return { written, clock, counter: new RefusalCounter(write, () => clock.now) };
}

const from = (name: string, reason = "The API key is not valid.") =>
  ({ action: "refused.credential", reason, by: { kind: "address", name } }) as const;

it("refusals of one address and reason are one row with their count", async () => {
  for (let number = 0; number < 3; number += 1) countRefusal({ ...from("192.0.2.7"), address: "192.0.2.7" });
  countRefusal(from("192.0.2.7", "The token has expired."));
  countRefusal({ ...from("bot"), by: { kind: "agent", name: "b\0t\ud800" } });
  await flushRefusals();
  expect(
    await database.query(`select kind, actor, role, action, target, detail, count from audit_event order by kind, id`),
  ).toEqual([
    {
      kind: "address",
      actor: "192.0.2.7",
      role: "",
      action: "refused.credential",
      target: "",
      detail: "The API key is not valid.",
      count: 3,
    },
    {
      kind: "address",
      actor: "192.0.2.7",
      role: "",
      action: "refused.credential",
      target: "",
      detail: "The token has expired.",
      count: 1,
    },
    {
      kind: "agent",
      actor: "b\ufffdt\ufffd",
      role: "",
      action: "refused.credential",
      target: "",
      detail: "The API key is not valid.",
      count: 1,
    },
  ]);
  await flushRefusals();
  expect(await database.query(`select 1 from audit_event`)).toHaveLength(3);
});

it("refusals are written each minute, by every process, and when it ends", async () => {
  const [job] = jobTable().filter(({ name }) => name === "refusals");
  expect(job).toMatchObject({ everyMs: 60_000, inApp: true });
  startJobs([job!]);
  countRefusal(from("192.0.2.9"));
  await stopJobs();
  expect(await database.query(`select 1 from audit_event where actor = '192.0.2.9'`)).toHaveLength(1);
});

it("refusals are written at the stop of a process, also while its calls run", async () => {
  startJobs(jobTable().filter(({ name }) => ["refusals", "queued-calls"].includes(name)));
  const end = registerRunning("call_that_lasts");
  countRefusal(from("192.0.2.10"));
  const ended = endBackground();
  const written = () => database.query(`select 1 from audit_event where actor = '192.0.2.10'`);
  await vi.waitUntil(async () => (await written()).length === 1, { timeout: 15_000 });
  expect(runningHere()).toEqual(["call_that_lasts"]);
  end();
  await ended;
});

it("an attack from 100,000 addresses writes no more rows than the limit, and no refusal is lost", async () => {
  const { written, counter, clock } = counting();
  for (let minute = 0; minute < 60; minute += 1) {
    for (let number = 0; number < 2_000; number += 1) counter.add(from(`10.${minute}.${number}`));
    await counter.flush();
    expect(written.at(-1)?.length).toBeLessThanOrEqual(REFUSAL_ROWS.perMinute + 1);
  }
  const rows = written.flat();
  const named = rows.filter(({ by }) => by.name !== "other callers");
  expect(named).toHaveLength(REFUSAL_ROWS.perHour);
  expect(rows.length - named.length).toBeLessThanOrEqual(60);
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(120_000);
  clock.now += 3_600_000;
  counter.add(from("the next hour"));
  await counter.flush();
  expect(written.at(-1)?.map(({ by }) => by.name)).toEqual(["the next hour"]);
});

it("a write that fails in the next hour leaves that hour its whole limit, and no more", async () => {
  const { written, clock } = counting();
  let inWrite = () => {};
  const counter = new RefusalCounter(
    async (rows) => {
      inWrite();
      if (clock.fails) throw new Error("the store is lost");
      written.push([...rows]);
    },
    () => clock.now,
  );
  for (let number = 0; number < 50; number += 1) counter.add(from(`10.0.0.${number}`));
  clock.fails = true;
  inWrite = () => {
    clock.now += 3_600_000;
    counter.add(from("10.0.0.0"));
  };
  await expect(counter.flush()).rejects.toThrow("the store is lost");
  clock.fails = false;
  inWrite = () => {};
  for (let minute = 0; minute < 60; minute += 1) {
    await counter.flush();
    for (let number = 0; number < 100; number += 1) counter.add(from(`10.1.${minute}.${number}`));
  }
  expect(written.flat().filter(({ by }) => by.name !== "other callers")).toHaveLength(REFUSAL_ROWS.perHour);
});

it("any number of disabled agents writes no more rows of the log than the limit", async () => {
  const { written, counter } = counting();
  for (let number = 0; number < 1_000; number += 1)
    counter.add({ ...from(`agent ${number}`), disabled: { reason: "It leaked." } });
  await counter.flush();
  const logged = written.flat().filter(({ disabled }) => disabled !== undefined);
  expect(logged).toHaveLength(REFUSAL_ROWS.perMinute);
  expect(written.flat().reduce((sum, { count }) => sum + count, 0)).toBe(1_000);
});

it("an attack from many addresses leaves the attempts of a disabled agent in the log", async () => {
  for (let number = 0; number < 1_000; number += 1) countRefusal(from(`10.0.0.${number}`));
  countRefusal({ ...from("the-bot"), by: { kind: "agent", name: "the-bot" }, disabled: { reason: "x".repeat(500) } });
  await flushRefusals();
  const [row] = await database.query<{ reason: string; attempts: number }>(
    `select reason, attempts from execution join execution_outcome using ("callId") where agent = 'the-bot'`,
  );
  expect(row).toMatchObject({ attempts: 1 });
  expect(row?.reason).toMatch(/^agent_disabled: x{183}…$/);
});

it("an attack from many addresses leaves the refusals of known agents and people named", async () => {
  const known = [
    { action: "refused.body", reason: "The body is no JSON.", by: { kind: "agent", name: "a-bot" } },
    { action: "refused.sign_in", reason: "The password is wrong.", by: { kind: "user", name: "ada@example.com" } },
    { action: "refused.forbidden", reason: "needs users:write", by: { kind: "token", name: "ci" } },
  ] as const;
  for (let number = 0; number < 1_000; number += 1) countRefusal(from(`10.1.0.${number}`));
  for (const refusal of known) countRefusal(refusal);
  countRepeatedRead({ action: "impact.matchers", reason: "coarse counts", by: known[1].by });
  await flushRefusals();
  const rows = await database.query<{ kind: string; actor: string; action: string }>(
    `select kind, actor, action from audit_event where kind <> 'address' or actor like '10.1.0.%' order by id`,
  );
  expect(rows.filter(({ kind }) => kind === "address")).toHaveLength(REFUSAL_ROWS.perMinute);
  expect(rows).toEqual(
    expect.arrayContaining([
      ...known.map(({ action, by }) => ({ kind: by.kind, actor: by.name, action })),
      { kind: "user", actor: "ada@example.com", action: "impact.matchers" },
    ]),
  );
});

it("any number of reasons is counted together", async () => {
  const { written, counter } = counting();
  for (let number = 0; number < 5_000; number += 1) counter.add(from("10.0.0.1", `reason ${number}`));
  await counter.flush();
  expect(written[0]?.length).toBeLessThanOrEqual(REFUSAL_ROWS.perMinute + REFUSAL_ROWS.reasons + 1);
  expect(written[0]?.reduce((sum, { count }) => sum + count, 0)).toBe(5_000);
});

it("refusals that cannot be written stay counted, within the limits", async () => {
  const { written, counter, clock } = counting();
  clock.fails = true;
  for (let minute = 0; minute < 30; minute += 1) {
    for (let number = 0; number < 500; number += 1) counter.add(from(`10.${minute}.${number}`));
    await expect(counter.flush()).rejects.toThrow("the store is lost");
  }
  clock.fails = false;
  await counter.flush();
  expect(written[0]?.length).toBeLessThanOrEqual(REFUSAL_ROWS.perMinute + 1);
  expect(written[0]?.reduce((sum, { count }) => sum + count, 0)).toBe(15_000);
});
