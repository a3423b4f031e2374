import { beforeAll, describe, expect, test } from "vitest";
import { POST as replayRoute } from "@/app/api/admin/executions/[id]/replay/route";
import { replayOutput, type ReplayOutput } from "@/lib/contracts/decisions/replay";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Client, keyOf, save, supportDocument } from "@/test/api/agents-world";
import { ask, type Sent } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

const database = useDatabase();
let refunder: Client;
let suspended: Client;
let revision: number;

const post = (id: string, sent: Sent = {}) =>
  ask(replayRoute, "POST", `/api/admin/executions/${id}/replay`, { params: { id }, ...sent });

async function replay(id: string, body?: object): Promise<ReplayOutput> {
  const got = await post(id, body === undefined ? {} : { body });
  expect([got.status, got.text.slice(0, 200)]).toEqual([200, expect.anything()]);
  return replayOutput.parse(got.json);
}

async function called(who: Client, tool_id: string, args: object): Promise<string> {
  return (await who.call({ tool_id, arguments: args })).json.call_id;
}

/** The refund policy with another limit; the revision that it makes. */
async function limitTo(euro: number): Promise<void> {
  const { policies, ...rest } = supportDocument() as { policies: { name: string }[] };
  const others = policies.filter(({ name }) => name !== "small-refunds");
  const limited = {
    ...policies.find(({ name }) => name === "small-refunds"),
    arguments: [{ claim: "amount", operator: "lte", value: euro }],
  };
  await save({ ...rest, policies: [...others, limited] });
}

beforeAll(async () => {
  revision = await save(supportDocument());
  refunder = new Client(await keyOf("refunder"));
  suspended = new Client(await keyOf("suspended"));
});

describe("a logged call decided again", () => {
  test("repeats the log's decision, however the call ended", async () => {
    const granted = await replay(await called(refunder, "support:refund_order", { order_id: "O-5001", amount: 20 }));
    expect(granted).toMatchObject({
      logged: { verdict: "allowed" },
      original: { verdict: "allowed", policies: ["small-refunds"] },
      argumentsKnown: true,
      reproduced: true,
      differs: false,
    });
    const refused = await replay(await called(refunder, "support:refund_order", { order_id: "O-5001", amount: 129 }));
    expect(refused).toMatchObject({
      logged: { verdict: "arguments_refused" },
      original: { verdict: "arguments_refused", detail: "Refunds above 100 euro need a supervisor." },
      reproduced: true,
    });
    const hidden = await replay(await called(suspended, "support:get_order", { order_id: "O-5001" }));
    expect(hidden).toMatchObject({
      logged: { verdict: "hidden", reason: "denied_by_policy" },
      original: { verdict: "hidden", decidedBy: "policy", reason: "denied_by_policy" },
      reproduced: true,
    });
    const unknown = await replay(await called(refunder, "support:nothing", {}));
    expect(unknown).toMatchObject({ original: { verdict: "unknown_tool" }, reproduced: true });
  });

  test("of a tool that a person could grant, or of a name that several tools have, raises no alarm", async () => {
    const document = supportDocument() as { tools: object[]; groups: object[]; policies: object[] };
    const offer = { name: "on-request", effect: "request", maxHours: 8, everyone: true, groups: ["refunds"] };
    const schema = { description: "d", inputSchema: { type: "object" } };
    const twin = (id: string) => ({ id, name: "twin", groups: ["twins"], ...schema });
    const tools = [...document.tools, twin("support:one"), twin("support:two")];
    const all = { name: "twins", everyone: true, groups: ["twins"] };
    const groups = [...document.groups, { name: "twins" }];
    await save({ ...document, tools, groups, policies: [...document.policies, offer, all] });
    const reader = new Client(await keyOf("reader"));
    expect(
      await replay(await called(reader, "support:refund_order", { order_id: "O-5001", amount: 10 })),
    ).toMatchObject({
      logged: { verdict: "hidden", code: "access_requestable" },
      original: { verdict: "hidden", reason: "access_requestable" },
      reproduced: true,
    });
    const { json } = await reader.call({ name: "twin", arguments: {} });
    expect(await replay(json.call_id)).toMatchObject({
      logged: { verdict: null, code: "ambiguous_name" },
      reproduced: null,
    });
    await save(supportDocument());
  });

  test("with arguments that did not fit leaves conditions on them out", async () => {
    const misfit = await replay(await called(refunder, "support:refund_order", { amount: "much" }));
    expect(misfit).toMatchObject({ argumentsKnown: false, original: { verdict: "allowed" }, reproduced: true });
  });

  test("under other rules reports the different decision, and keeps the log's", async () => {
    const id = await called(refunder, "support:refund_order", { order_id: "O-5001", amount: 20 });
    await limitTo(10);
    const now = await replay(id);
    expect(now).toMatchObject({
      original: { verdict: "allowed" },
      replayed: { verdict: "arguments_refused" },
      reproduced: true,
      differs: true,
    });
    expect(now.replayed.revision).toBe((await currentSnapshot()).revision);
    const earlier = await replay(id, { revision });
    expect(earlier).toMatchObject({
      replayed: { revision, verdict: "allowed", at: earlier.logged.at },
      differs: false,
    });
    await limitTo(100);
  });

  test("is recorded as a view of bodies, and needs the permission to read them", async () => {
    const id = await called(refunder, "support:get_order", { order_id: "O-5001" });
    await replay(id);
    const [event] = await database.query("select * from audit_event order by id desc limit 1");
    expect(event).toMatchObject({ action: "executions.bodies", target: id });
    expect((await post(id, { role: "editor" })).status).toBe(403);
  });

  test("of an unknown call or revision is not found", async () => {
    expect((await post("nothing")).status).toBe(404);
    const id = await called(refunder, "support:get_order", { order_id: "O-5001" });
    expect((await post(id, { body: { revision: 9999 } })).status).toBe(404);
  });
});
