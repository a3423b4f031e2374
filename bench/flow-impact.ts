import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { report } from "@/bench/support/measure";
import { measuredDatabase } from "@/bench/support/servers/measured-database";

// Measures the replay of 100,000 logged calls of 1,000 callers under an unsaved flow rule, beside 3 stored rules, and the
// trifecta page of 200 agents (docs/reference/decision.md#flow-impact, #trifecta).

const REPLAY_MS = 10_000;
const HELD_UP_MS = 200;
const TRIFECTA_CPU_MS = 1_000;
const DAYS = 30;

const database = await measuredDatabase({ NEXTAUTH_URL: "http://127.0.0.1:3000" });
const { Client } = await import("pg");
const client = new Client({ connectionString: database.env["DATABASE_URL"] });
await client.connect();
try {
  const { fillWorld, LARGE } = await import("@/test/support/worlds/large-world");
  const query = async (text: string, values?: readonly unknown[]) =>
    (await client.query(text, [...(values ?? [])])).rows as never[];
  await fillWorld({ query }, LARGE);
  await query(
    `insert into label (name, description, scope, "holdMinutes", revision, "createdAt", "updatedAt")
     values ('private', '', 'caller', 1440, 1, now(), now()), ('untrusted', '', 'caller', 1440, 1, now(), now()),
       ('draft', '', 'run', null, 1, now(), now()) on conflict do nothing`,
  );
  // A tenth of the tools reads private data, a third reads untrusted text, a fifth sends out.
  await query(
    `update tool set flow = jsonb_build_object(
       'raises', to_jsonb(array_remove(array[case when n % 10 = 1 then 'private' end, case when n % 3 = 1 then 'untrusted' end,
         case when n % 7 = 1 then 'draft' end], null)),
       'is', to_jsonb(array_remove(array[case when n % 5 = 1 then 'outward' end, case when n % 50 = 1 then 'money' end], null)))
     from (select id as of, row_number() over (order by id) as n from tool) numbered where tool.id = of`,
  );
  await query(
    `insert into flow_rule (name, description, active, mode, "when", restrict, effect, revision, "createdAt", "updatedAt")
     select name, '', true, 'enforce', to_jsonb(array[held]), jsonb_build_array(jsonb_build_object('is', class, 'tool', null, 'selector', null)),
       effect, 1, now(), now()
     from (values ('a', 'draft', 'money', 'approve'), ('b', 'private', 'money', 'hide'), ('c', 'untrusted', 'money', 'approve'))
       as rule (name, held, class, effect)`,
  );
  await query("vacuum analyze");
  const { currentSnapshot } = await import("@/lib/store/snapshot/snapshot");
  // Every process has the configuration in memory before it serves a page. Reading it may take longer than a request waits.
  while ((await currentSnapshot().catch(() => null)) === null) await delay(1_000);

  const { readFlowImpact } = await import("@/lib/admin/flow/impact");
  const input = { name: "new", when: ["private", "untrusted"], restrict: [{ is: "outward" }] };
  const held = monitorEventLoopDelay({ resolution: 1 });
  held.enable();
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  const result = await (async () => {
    for (;;) {
      const { replay, result: made } = await readFlowImpact({ resource: "flows", input, days: DAYS });
      if (replay.state === "failed") throw new Error(replay.message);
      if (made !== null) return made;
      await delay(50);
    }
  })();
  held.disable();
  const took = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  console.log(
    `        ${result.stopped.count.toLocaleString("en")} of ${result.calls.toLocaleString("en")} calls would be stopped; ` +
      `${((user + system) / 1e6).toFixed(1)} s of CPU`,
  );
  report("flow rule: the replay of 100,000 logged calls / 10 s", took / REPLAY_MS, { atMost: 1 });
  report("its longest hold-up of other requests / 200 ms", held.max / 1e6 / HELD_UP_MS, { atMost: 1 });

  // The made-up history has later revisions than the configuration.
  await query("truncate change, revision");
  await query(`update tool set "requiredCapabilities" = '{}'`);
  await addAgents();
  const { listTriangles } = await import("@/lib/admin/flow/trifecta");
  // The first page of a process compiles code, and so takes longer.
  await listTriangles();
  held.reset();
  held.enable();
  const before = process.cpuUsage();
  const { callers } = await listTriangles();
  held.disable();
  const spent = process.cpuUsage(before);
  const open = callers.filter((caller) => caller.open.count > 0).length;
  console.log(`        ${callers.length} callers, ${open} open triangles`);
  report("trifecta page: seconds of CPU", (spent.user + spent.system) / 1e3 / TRIFECTA_CPU_MS, { atMost: 1 }, " s");
  report("its longest hold-up of other requests / 200 ms", held.max / 1e6 / HELD_UP_MS, { atMost: 1 });
} finally {
  await client.end();
}
await database.stop();

/** 200 agents, the most of the page, in 20 teams. Each team has 50 of 1,000 policies, which grant 5 of 100 groups. */
async function addAgents(): Promise<void> {
  const { parseDocument } = await import("@/lib/config/document");
  const { applyDocument } = await import("@/lib/store/save/config-document");
  const { SETUP } = await import("@/lib/store/save/demo-mark");
  const some = (count: number, make: (n: number) => object) => Array.from({ length: count }, (_, n) => make(n));
  const text = JSON.stringify({
    apiVersion: "quartermaster/v1",
    groups: some(100, (n) => ({ name: `group-${n}` })),
    policies: some(1_000, (n) => ({
      name: `policy-${n}`,
      matchers: [{ claim: "team", operator: "equals", value: `team-${n % 20}` }],
      groups: [`group-${n % 100}`],
    })),
    agents: some(200, (n) => ({ name: `bench-agent-${n}`, attributes: { team: `team-${n % 20}` } })),
  });
  const parsed = parseDocument(text);
  if (!parsed.ok) throw new Error(parsed.errors.map(({ path, message }) => `${path}: ${message}`).join("\n"));
  await applyDocument(SETUP, parsed.document, { note: "bench" });
}
