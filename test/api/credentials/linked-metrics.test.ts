import { beforeAll, expect, it } from "vitest";
import { registerRuntimeGauges } from "@/lib/server/runtime-gauges";
import { metrics } from "@/lib/telemetry/metrics";
import { toPrometheus } from "@/lib/telemetry/prometheus";
import { endAccount, linkAccount, mine, REFUSE_GRANTS, useLinkingPeople } from "@/test/api/credentials/linked-world";
import { useDatabase } from "@/test/support/database";
import { readScrape } from "@/test/support/prometheus-text";
import type { LinkServer } from "@/test/support/servers/link-server";

// The counters of linked accounts, as a monitoring system reads them (docs/telemetry.md).

const database = useDatabase();
const world = useLinkingPeople(database);

beforeAll(registerRuntimeGauges);

const read = async () => readScrape(toPrometheus(await metrics().registry.collect()));

/** Each outcome of a refresh, and what the upstream's server does from then on. */
const OUTCOMES: readonly (readonly [outcome: string, prepare: (server: LinkServer) => unknown])[] = [
  ["refreshed", () => {}],
  ["ended", (server) => server.setRefreshes(false)],
  ["unreachable", (server) => server.setAvailable(false)],
  ["refused", (server) => server.setTokenAnswer([400, { error: "invalid_request" }])],
  ["not_supported", (server) => server.setTokenAnswer([200, { access_token: "two words", token_type: "bearer" }])],
  // The upstream ended the account, and the database does not store that.
  ["internal", (server) => (server.setRefreshes(false), database.query(REFUSE_GRANTS))],
];

it.each(OUTCOMES)("count a refresh as %s, and as nothing else", async (outcome, prepare) => {
  const refreshes = async () => {
    const { value } = await read();
    return OUTCOMES.map(([name]) => value("agent_link_refreshes_total", { source: "tickets", outcome: name }));
  };
  const { server } = world;
  await linkAccount("tickets", world.ada, "ada@mail");
  server.endTokens("ada@mail");
  const before = await refreshes();
  await prepare(server);
  await mine(world.asAda);
  await database.query("drop function if exists refuse_grants cascade");
  server.setAvailable(true);
  server.setRefreshes(true);
  server.setTokenAnswer(null);
  const risen = (await refreshes()).map((value, at) => value - (before[at] ?? 0));
  expect(risen).toEqual(OUTCOMES.map(([name]) => (name === outcome ? 1 : 0)));
});

it("state how many accounts are linked, and how many need a new sign-in", async () => {
  const counted = async () => {
    const { value } = await read();
    return ["tickets", "mail"].map((source) =>
      ["linked", "sign_in_again"].map((state) => value("agent_linked_accounts", { source, state })),
    );
  };
  await linkAccount("tickets", world.ada, "ada@mail");
  await linkAccount("tickets", world.bob, "bob@mail");
  await linkAccount("mail", world.bob, "bob@mail");
  expect(await counted()).toEqual([
    [2, 0],
    [1, 0],
  ]);
  world.server.endTokens("ada@mail");
  world.server.setRefreshes(false);
  await mine(world.asAda);
  await endAccount("mail", world.bob);
  expect(await counted()).toEqual([
    [1, 1],
    [0, 0],
  ]);
});
