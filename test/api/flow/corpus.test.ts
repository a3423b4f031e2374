import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { save, keyOf } from "@/test/api/agents-world";
import { serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { ATTACKS } from "@/test/api/flow/attacks";
import { BENIGN } from "@/test/api/flow/benign";
import { drive, type Made, type Setting } from "@/test/api/flow/driver";
import type { Change, Door, Run } from "@/test/api/flow/steps";
import { openUpstream, world } from "@/test/api/flow/world";
import { allowOutbound } from "@/test/support/allow-outbound";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";
import { useDatabase } from "@/test/support/database";

// The flow guard's corpus: what leaves is counted at the upstream. Without the rules each attack gets through, so none of
// them is stopped by anything else (docs/reference/decision.md#flow).

const database = useDatabase();
let upstream: Awaited<ReturnType<typeof openUpstream>>;
let issuer: TestIssuer;
let mcp: McpEndpoint;
let credentials: Setting["credentials"];
/** The saved configuration. */
let saved = "";

async function configure(change: Change | null, guarded: boolean): Promise<void> {
  const name = `${change} ${guarded}`;
  if (name === saved) return;
  const { issuer: iss, jwksUri } = issuer;
  await save(world({ host: upstream.host, issuer: { issuer: iss, jwksUri } }, { change, guarded }));
  saved = name;
}

beforeAll(async () => {
  upstream = await openUpstream();
  issuer = await startIssuer();
  allowOutbound(upstream.host, issuer.host);
  await configure(null, true);
  mcp = await serveMcp();
  const [key, second, other] = [await keyOf("reader"), await keyOf("reader", "second"), await keyOf("other")];
  const token = (client: string) => issuer.token({ sub: "ada", client_id: client, scope: client });
  credentials = {
    key,
    second,
    other,
    token: await token("desk"),
    "token-again": await token("desk"),
    "token-phone": await token("phone"),
  };
});
afterAll(async () => {
  upstream.close();
  await Promise.all([mcp.close(), issuer.close()]);
});

const DOORS: readonly Door[] = ["rest", "mcp", "script"];
const driven = (runs: readonly Run[]) => runs.flatMap((run) => (run.doors ?? DOORS).map((door) => ({ run, door })));
const titled = (runs: readonly Run[]) =>
  driven(runs).map(({ run, door }): [string, Door, Run] => [run.name, door, run]);

/** Drives a run from nothing, and returns its calls and how many of its sends arrived. */
async function played(run: Run, door: Door, guarded: boolean): Promise<{ made: readonly Made[]; sends: number }> {
  await database.query("delete from held_label");
  await configure(run.under ?? null, guarded);
  upstream.holdDrafts(run.steps.some((step) => "follow" in step));
  const text = `${run.name} ${door} ${guarded}`;
  const { release } = upstream;
  const change = (to: Change) => configure(to, guarded);
  const made = await drive(run, door, text, { mcp, credentials, database, save: change, release });
  return { made, sends: upstream.sent.filter((sent) => sent === text).length };
}

it("has at least 30 attack runs and 30 benign runs, through REST, MCP and scripts", () => {
  expect(ATTACKS.length).toBeGreaterThanOrEqual(30);
  expect(BENIGN.length).toBeGreaterThanOrEqual(30);
  for (const runs of [ATTACKS, BENIGN]) expect(new Set(runs.map(({ name }) => name)).size).toBe(runs.length);
  expect(new Set(driven(ATTACKS).map(({ door }) => door))).toEqual(new Set([...DOORS, "search", "legacy", "try"]));
});

// All runs without the rules, then all with them: saving a configuration takes longer than most runs.
describe("an attack gets through without the rules", () => {
  it.each(titled(ATTACKS))("%s (%s)", async (_name, door, run) => {
    expect((await played(run, door, false)).sends).toBeGreaterThan(0);
  });
});

describe("an attack does not get through with the rules", () => {
  it.each(titled(ATTACKS))("%s (%s)", async (_name, door, run) => {
    expect((await played(run, door, true)).sends).toBe(0);
  });
});

describe("a benign run is not stopped", () => {
  it.each(titled(BENIGN))("%s (%s)", async (_name, door, run) => {
    const { made, sends } = await played(run, door, true);
    const stopped = made.filter(({ status }) => !["succeeded", "pending", "awaiting_approval"].includes(status));
    expect({ stopped, sends }).toEqual({ stopped: [], sends: run.sends ?? 1 });
  });
});
