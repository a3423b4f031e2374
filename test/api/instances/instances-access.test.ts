import type { Client } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { POST as APPROVE } from "@/app/api/admin/access-requests/[id]/approve/route";
import { GET as READ } from "@/app/api/admin/access-requests/[id]/route";
import type { AccessRequestOutput } from "@/lib/contracts/agents/access-request";
import type { AccessDetail } from "@/lib/contracts/changes/access";
import type { List } from "@/test/api/agents-world";
import { of, until, type Followed, type Remote } from "@/test/api/instances-world";
import { startShopInstances, type Document, type ShopInstances } from "@/test/api/instances/shop-instances";
import { connect, ERAS } from "@/test/api/mcp-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";
import { shiftedClock } from "@/test/support/processes/shifted-clock";

// Access for an hour over three real processes on one database (docs/reference/governance.md#access-requests).

vi.setConfig({ testTimeout: 90_000 });
const database = useDatabase();
const HOUR_MS = 3_600_000;
const ORDER = of("order");

const clock = shiftedClock();
let { instances, shop, key, readers, close } = {} as ShopInstances;

beforeAll(async () => {
  const change = (document: Document) => ({
    ...document,
    groups: [...document.groups, { name: "ordering", include: [{ tool: ORDER.tool_id }] }],
    policies: [
      ...document.policies.filter(({ name }) => name !== "shoppers"),
      {
        name: "orders-on-request",
        description: "Ask for orders.",
        effect: "request",
        maxHours: 4,
        matchers: [{ claim: "team", operator: "equals", value: "support" }],
        groups: ["ordering"],
      },
    ],
  });
  ({ instances, shop, key, readers, close } = await startShopInstances(database.url, change, clock.env));
});
afterAll(async () => {
  await close();
  clock.remove();
});

const isListed = async (reader: Remote) =>
  (await reader.list()).json.data.some(({ tool_id }) => tool_id === ORDER.tool_id);

/** The tools of the last list that a stream reported. */
function reported({ text }: Followed): readonly unknown[] {
  const lists = [...text().matchAll(/event: tool_list\n(?:id: .*\n)?data: (.*)\n\n/g)];
  const data = lists.at(-1)?.[1];
  return data === undefined ? [] : (JSON.parse(data) as List).data.map(({ tool_id }) => tool_id);
}

/** Grants a request as an admin of the app. */
async function grant(id: string): Promise<AccessDetail> {
  const params = { id };
  const { hash } = (await ask<AccessDetail>(READ, "GET", `/api/admin/access-requests/${id}`, { params })).json;
  const approving = { params, body: { hash, reason: "On duty." } };
  return (await ask<AccessDetail>(APPROVE, "POST", `/api/admin/access-requests/${id}/approve`, approving)).json;
}

/** What a new client of `/mcp` of each era does, each at another instance. A session of the first era ends when it is idle. */
function throughMcp<Done>(work: (client: Client) => Promise<Done>): Promise<readonly Done[]> {
  return Promise.all(
    ERAS.map(async (era, at) => {
      const { client } = await connect(instances.all[at]!, { credential: key, era });
      return work(client).finally(() => client.close());
    }),
  );
}
const namesInMcp = () => throughMcp(async (client) => (await client.listTools()).tools.map(({ name }) => name));

it("an agent is refused, asks through MCP, gets an hour, calls, and loses the tool at every instance", async () => {
  const streams = await Promise.all(readers.map((reader) => reader.follow("stream")));
  for (const reader of readers)
    expect((await reader.call(ORDER)).json.error).toMatchObject({
      code: "access_requestable",
      message: "Ask for orders.",
    });
  for (const listed of await namesInMcp()) {
    expect(listed.at(-1)).toBe("request_access");
    expect(listed).not.toContain("order");
  }

  const wish = { tool: ORDER.tool_id, reason: "A customer waits.", hours: 1 };
  const asked = await throughMcp((client) => client.callTool({ name: "request_access", arguments: wish }));
  const [request, again] = asked.map(({ content }) => {
    const [answer] = content as { text: string }[];
    return JSON.parse(answer?.text ?? "") as AccessRequestOutput;
  });
  expect(request).toMatchObject({ status: "open", tool_id: ORDER.tool_id, hours: 1 });
  // Two instances open one request.
  expect(again).toEqual(request);
  expect(await grant(request!.request_id)).toMatchObject({ status: "applied", decidedReason: "On duty." });

  await until(() => streams.every((stream) => reported(stream).includes(ORDER.tool_id)));
  for (const reader of readers) expect((await reader.call(ORDER)).json.status).toBe("succeeded");
  for (const listed of await namesInMcp()) {
    expect(listed).toContain("order");
    expect(listed).not.toContain("request_access");
  }
  expect(shop.arrived("/order")).toBe(3);

  clock.ahead(instances.all, HOUR_MS);
  await until(() => streams.every((stream) => !reported(stream).includes(ORDER.tool_id)));
  for (const reader of readers) {
    await vi.waitFor(async () => expect(await isListed(reader)).toBe(false), { timeout: 30_000 });
    expect((await reader.call(ORDER)).json.error?.code).toBe("access_requestable");
  }
  for (const listed of await namesInMcp()) expect(listed.at(-1)).toBe("request_access");
  expect(shop.arrived("/order")).toBe(3);
  await Promise.all(streams.map(({ leave }) => leave()));
});
