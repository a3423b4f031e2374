import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  documentOf,
  linkAccount,
  startUpstreams,
  type LinkingUser,
  type Upstreams,
} from "@/test/api/credentials/linked-world";
import { Remote } from "@/test/api/instances-world";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { useDatabase } from "@/test/support/database";
import { startInstances, type Instances } from "@/test/support/processes/instances";

// Three real processes on one database race to refresh the same linked account. A server with rotation ends a grant whose
// refresh token comes twice (RFC 9700, 4.14.2), so a second refresh would cost the person their account.

vi.setConfig({ testTimeout: 60_000 });
const database = useDatabase();
let upstreams: Upstreams;
let instances: Instances;
let ada: LinkingUser;
let remotes: readonly Remote[];

beforeAll(async () => {
  upstreams = await startUpstreams();
  const { corp, server, mcp, api } = upstreams;
  await save(documentOf(upstreams));
  ada = await addOpenIdPerson("ada", corp.issuer);
  const OUTBOUND_ALLOW = [corp.host, server.host, mcp.host, api.host].join(",");
  instances = await startInstances(database.url, { OUTBOUND_ALLOW });
  const bearer = await corp.token({ sub: "ada" });
  remotes = instances.all.map((instance) => new Remote(instance, bearer));
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await instances.stop();
  await upstreams.close();
});

const refreshes = () => upstreams.server.asked.filter(({ grant_type: type }) => type === "refresh_token").length;

/** Four calls at each process, at the same time: the reason of each that failed. */
async function callEverywhere(tool: string): Promise<unknown[]> {
  const calls = remotes.flatMap((remote) => Array.from({ length: 4 }, () => remote));
  const answers = await Promise.all(calls.map((remote) => remote.call({ tool_id: tool, arguments: {} })));
  return answers.filter(({ json }) => json.status !== "succeeded").map(({ json }) => json.error ?? json);
}

it.each(["tickets:mine", "mail:whoami"])("one process refreshes, and every call of %s succeeds", async (tool) => {
  await linkAccount(tool.split(":")[0] ?? "", ada, "ada@mail");
  expect(await callEverywhere(tool)).toEqual([]);
  for (let round = 1; round <= 3; round += 1) {
    upstreams.server.asked.length = 0;
    upstreams.server.endTokens("ada@mail");
    expect(await callEverywhere(tool)).toEqual([]);
    expect(refreshes()).toBe(1);
  }
});
