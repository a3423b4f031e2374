import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GET as heldRoute } from "@/app/api/admin/held-labels/route";
import { POST as clearRoute } from "@/app/api/admin/labels/[name]/clear/route";
import { agentInput } from "@/lib/resources/agent";
import type { Role } from "@/lib/resources/permissions";
import { agents } from "@/lib/store/config/agents";
import type { Actor } from "@/lib/store/save/change";
import { Client, save, supportDocument, supportTool } from "@/test/api/agents-world";
import { connectAs, useGateway } from "@/test/api/oauth/world";
import { ask } from "@/test/support/admin";
import { allowOutbound } from "@/test/support/allow-outbound";
import { useDatabase } from "@/test/support/database";
import { signIn } from "@/test/support/person";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

// Nobody clears a label of their own agent (docs/reference/governance.md), also when the agent signs in with tokens.

const database = useDatabase();

const LOOKUP = { tool_id: "support:lookup_customer", arguments: { query: "ada" } };
const MAKER: Actor = { kind: "user", name: "editor@example.com", role: "editor" };

let corp: TestIssuer;

beforeAll(async () => {
  corp = await startIssuer();
  allowOutbound(corp.host);
  await save({
    ...supportDocument(),
    tools: [supportTool(LOOKUP.tool_id, { flow: { raises: ["private"] } })],
    issuers: [{ name: "corp", issuer: corp.issuer, audience: "quartermaster", jwksUri: corp.jwksUri }],
  });
  await signIn("editor");
  const bound = { name: "bot", issuer: "corp", subject: "bot-1" };
  for (const fields of [bound, { name: "desk" }])
    await agents.create(MAKER, agentInput.parse({ ...fields, attributes: { team: "support" } }));
});
afterAll(() => corp.close());
const gateway = useGateway();

/** Calls a tool that raises a label, and answers who holds it. */
async function raiseWith(token: string): Promise<{ issuer: string; subject: string }> {
  await database.query("delete from held_label");
  expect((await new Client(token).call(LOOKUP)).json.status).toBe("succeeded");
  const [holder] = await database.query<{ issuer: string; subject: string }>("select issuer, subject from held_label");
  return holder!;
}

async function clear(holder: { issuer: string; subject: string }, role: Role): Promise<number> {
  const body = { ...holder, session: null, reason: "The ticket was checked by hand." };
  const params = { name: "private" };
  return (await ask(clearRoute, "POST", "/api/admin/labels/private/clear", { body, params, role })).status;
}

describe("the label of an agent that signs in with tokens", () => {
  it("of an issuer is not cleared by the person who created the agent, whom the list tells so", async () => {
    const holder = await raiseWith(await corp.token({ sub: "bot-1", team: "support" }));
    expect(holder).toEqual({ issuer: corp.issuer, subject: "bot-1" });
    const ownTo = async (role: Role) =>
      (await ask(heldRoute, "GET", "/api/admin/held-labels?agent=bot", { role })).json.items.map(({ own }) => own);
    expect([await ownTo("editor"), await ownTo("admin")]).toEqual([[true], [false]]);
    expect(await clear(holder, "editor")).toBe(403);
    expect(await clear(holder, "admin")).toBe(204);
  });

  it("of a connection is cleared neither by its person nor by the person who created the agent", async () => {
    const { access } = await connectAs(gateway, "desk", { role: "admin" });
    const holder = await raiseWith(access);
    expect(await clear(holder, "admin")).toBe(403);
    expect(await clear(holder, "editor")).toBe(403);
  });
});
