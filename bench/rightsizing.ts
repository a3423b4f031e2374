import { Client } from "pg";
import { report } from "@/bench/support/measure";
import { measuredDatabase } from "@/bench/support/servers/measured-database";

// Measures rightsizing with 1,000 policies and 1,000,000 counted calls of 1,000 callers: the list with nothing in memory
// and again, and the replay of the candidates of a policy with 100,000 callers and tools. The list is measured in processor
// time, so that other work on the machine does not count.

const LIST_MS = 500;
const REPLAY_MS = 30_000;

const database = await measuredDatabase({ NEXTAUTH_URL: "http://127.0.0.1:3000" });
const client = new Client({ connectionString: database.env["DATABASE_URL"] });
await client.connect();
try {
  const { forPerson } = await import("@/lib/store/db/database");
  const { fillRightsizing, MILLION, SHARED } = await import("@/test/support/worlds/rightsizing-world");
  const { listRightsizing } = await import("@/lib/admin/rightsizing/overview");
  const { readRightsizing } = await import("@/lib/admin/rightsizing/detail");
  await fillRightsizing({ query: async (sql, values) => (await client.query(sql, [...(values ?? [])])).rows }, MILLION);
  const [counted] = (await client.query("select sum(calls)::int as calls from usage_day where policy = ''")).rows;
  console.log(`        ${counted.calls.toLocaleString("en")} calls`);

  const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
    const start = process.cpuUsage();
    const made = await forPerson(work);
    const { user, system } = process.cpuUsage(start);
    return [(user + system) / 1000, made];
  };
  // Every process has the configuration in memory before it serves a page.
  const { currentSnapshot } = await import("@/lib/store/snapshot/snapshot");
  await currentSnapshot();
  const [cold, page] = await timed(() => listRightsizing({ days: 90, limit: 50 }));
  if (page.total !== MILLION.policies) throw new Error(`The list has ${page.total} policies.`);
  const [warm] = await timed(() => listRightsizing({ days: 90, limit: 50 }));
  const replayStart = performance.now();
  const [, detail] = await timed(async () => {
    for (;;) {
      const read = await readRightsizing(SHARED, 90);
      if (read.replay.state !== "running") return read;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  const replay = performance.now() - replayStart;
  for (const { kind, calls, same, notJudged } of detail.candidates)
    console.log(
      `        ${kind}: keeps ${same.toLocaleString("en")} of ${calls.toLocaleString("en")}; ${notJudged} not judged`,
    );
  console.log(
    `        list ${cold.toFixed(0)} ms, again ${warm.toFixed(0)} ms; replay ${(replay / 1000).toFixed(1)} s`,
  );
  report("rightsizing: the list, with nothing in memory / 500 ms", cold / LIST_MS, { atMost: 1 });
  report(`rightsizing: the replay of ${detail.candidates.length} candidates / 30 s`, replay / REPLAY_MS, { atMost: 1 });
} finally {
  await client.end();
}
await database.stop();
