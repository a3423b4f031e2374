import { beforeEach, describe, expect, it, vi } from "vitest";
import { GET as heldRoute } from "@/app/api/admin/held-labels/route";
import { builtinTools } from "@/lib/calls/builtin/index";
import { agentInput } from "@/lib/resources/agent";
import { labelInput } from "@/lib/resources/label";
import { apiKeys } from "@/lib/store/config/api-keys";
import { stores } from "@/lib/store/config/index";
import type { CallOutput } from "@/lib/contracts/agents/agent-api";
import { labelsOfHolder } from "@/lib/contracts/log/held-label";
import { write } from "@/lib/store/save/write";
import { ADMIN, Client, idsOf, keyOf, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { ask } from "@/test/support/admin";
import { useDatabase } from "@/test/support/database";

// A rename of an agent or a label sheds no held label (docs/reference/decision.md#flow).

const database = useDatabase();

const LOOKUP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
const SEND = { tool_id: "builtin:calculate", arguments: { expression: "6 * 7" } };
const FLOWS: Readonly<Record<string, object>> = {
  "support:lookup_customer": { raises: ["private"] },
  "builtin:calculate": { is: ["outward"] },
};
const READER = { name: "reader", attributes: { team: "support" } };
const RULE = { name: "guard", when: ["private"], restrict: [{ is: "outward" }] };
const HOUR = { scope: "caller", holdMinutes: 60 };
const GUESS = { kind: "raises", word: "guessed", from: "method GET" };

const worldOf = (changes: object = {}) => ({
  ...supportDocument({ agents: [READER, { ...READER, name: "other" }] }),
  tools: builtinTools().map(({ id }) =>
    supportTool(id, { flow: FLOWS[id] ?? {}, ...(id === LOOKUP.tool_id && { flowGuess: [GUESS] }) }),
  ),
  labels: ["private", "spare", "guessed"].map((name) => ({ name, ...HOUR })),
  flows: [RULE],
  ...changes,
});

const agentNamed = (name: string) => agentInput.parse({ ...READER, name });
const labelNamed = (name: string) => labelInput.parse({ name, ...HOUR });
const heldBy = async (subject: string) =>
  (
    await database.query<{ label: string }>("select label from held_label where subject = $1 order by 1", [subject])
  ).map(({ label }) => label);
const listed = async (client: Client) => idsOf((await client.list()).json);

let reader: Client;

beforeEach(async () => {
  await database.query("delete from held_label");
  for (const { name } of (await stores["api-keys"].list({ limit: 50 })).items) await apiKeys.remove(ADMIN, name);
  await save(worldOf());
  reader = new Client(await keyOf("reader"));
  await reader.call(LOOKUP);
});

/** The agent without keys: an agent that has one cannot be renamed. */
async function renameAgent(): Promise<void> {
  await apiKeys.remove(ADMIN, "reader-key");
  await stores.agents.replace(ADMIN, "reader", agentNamed("renamed"), "*");
}

describe("an agent that is renamed", () => {
  it("is refused while a key of the agent works", async () => {
    const renamed = stores.agents.replace(ADMIN, "reader", agentNamed("renamed"), "*");
    await expect(renamed).rejects.toMatchObject({ code: "in_use" });
  });

  it("holds its labels under the new name, and again when the rename is undone", async () => {
    await renameAgent();
    expect(await heldBy("renamed")).toEqual(["guessed", "private"]);
    expect(await listed(new Client(await keyOf("renamed")))).not.toContain(SEND.tool_id);
    expect(await heldBy("other")).toEqual([]);
    await apiKeys.remove(ADMIN, "renamed-key");
    await save(worldOf());
    expect(await listed(new Client(await keyOf("reader")))).not.toContain(SEND.tool_id);
  });

  it("keeps the later end where the new name holds the label too", async () => {
    await database.query(`insert into held_label ("issuer", "subject", "session", "label", "callId", "toolId", "at", "until")
      select 'quartermaster', 'renamed', '', label, 'c', 'x:y', now(), until from (values
        ('private', now() + interval '1 minute'), ('guessed', now() + interval '3 hours'), ('spare', null)) as row (label, until)`);
    await renameAgent();
    const ends = await database.query(`select label, round(extract(epoch from until - now()) / 3600)::int as hours
      from held_label where subject = 'renamed' order by 1`);
    expect(ends).toEqual([
      { label: "guessed", hours: 3 },
      { label: "private", hours: 1 },
      { label: "spare", hours: null },
    ]);
  });
});

describe("a label that is renamed", () => {
  it("stays held under the new name", async () => {
    await database.query("update held_label set label = 'spare' where label = 'private'");
    expect(await listed(reader)).toContain(SEND.tool_id);
    await stores.labels.replace(ADMIN, "spare", labelNamed("secret"), "*");
    await save(
      worldOf({
        labels: [labelNamed("private"), labelNamed("guessed"), labelNamed("secret")],
        flows: [{ ...RULE, when: ["secret"] }],
      }),
    );
    expect(await listed(reader)).not.toContain(SEND.tool_id);
  });

  it("is listed for its holders under the present name alone", async () => {
    await database.query("update held_label set label = 'spare' where label = 'private'");
    const listedFor = async (agent: string) => {
      const { json } = await ask(heldRoute, "GET", `/api/admin/held-labels?agent=${agent}`, { role: "auditor" });
      return labelsOfHolder.parse(json).items.map(({ label }) => label);
    };
    await stores.labels.replace(ADMIN, "spare", labelNamed("secret"), "*");
    expect((await listedFor("reader")).toSorted()).toEqual(["guessed", "secret"]);
    await stores.labels.replace(ADMIN, "secret", labelNamed("spare"), "*");
    expect((await listedFor("reader")).toSorted()).toEqual(["guessed", "spare"]);
  });

  it.each(["private", "guessed"])("is refused while tools or rules use `%s`, stated or guessed", async (name) => {
    const renamed = stores.labels.replace(ADMIN, name, labelNamed("secret"), "*");
    await expect(renamed).rejects.toMatchObject({
      code: "in_use",
      extra: { users: expect.arrayContaining([expect.objectContaining({ resource: "tools", id: LOOKUP.tool_id })]) },
    });
  });

  it("that is deleted and created again is still held", async () => {
    await stores.labels.remove(ADMIN, "guessed");
    await stores.labels.create(ADMIN, labelNamed("guessed"));
    await save(worldOf({ flows: [{ ...RULE, when: ["guessed"] }] }));
    expect(await listed(reader)).not.toContain(SEND.tool_id);
  });
});

it("a call that raises a label while a rename is saved is decided again after it", async () => {
  const other = new Client(await keyOf("other"));
  let call: ReturnType<typeof other.call<CallOutput>> | undefined;
  const { revision } = await write(
    ADMIN,
    () => [{ resource: "labels", action: "update", id: "spare", after: labelNamed("secret") }],
    {
      onSaved: async () => {
        let done = false;
        call = other.call<CallOutput>(LOOKUP).finally(() => (done = true));
        await vi.waitUntil(
          async () => done || (await database.query("select from pg_locks where not granted")).length > 0,
          {
            timeout: 20_000,
          },
        );
      },
    },
  );
  const { json } = await call!;
  const [logged] = await database.query(`select revision from execution where "callId" = $1`, [json.call_id]);
  expect([json.status, logged]).toEqual(["succeeded", { revision }]);
});
