import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  documentOf,
  endAccount,
  linkAccount,
  startUpstreams,
  type LinkingUser,
  type Upstreams,
} from "@/test/api/credentials/linked-world";
import { connect, post, serveMcp, statelessMessage, type McpEndpoint } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();

let upstreams: Upstreams;
let endpoint: McpEndpoint;
let ada: LinkingUser;
let credential: string;

beforeAll(async () => {
  upstreams = await startUpstreams();
  await save(documentOf(upstreams));
  ada = await addOpenIdPerson("ada", upstreams.corp.issuer);
  credential = await upstreams.corp.token({ sub: "ada" });
  endpoint = await serveMcp();
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await Promise.all([endpoint.close(), upstreams.close()]);
});
beforeEach(() => database.query("delete from linked_account"));

const CALL = { name: "whoami", arguments: {} };
const PAGE = `${ORIGIN}/admin/linked-accounts/mail`;
const opensPages = { capabilities: { elicitation: { url: {} } } };

describe("a call that needs a linked account, in the era of 2026-07-28", () => {
  const era = "2026-07-28";

  it("asks a client that opens addresses to open the page, and answers when the account is linked", async () => {
    const { client } = await connect(endpoint, { credential, era, options: opensPages });
    const opened: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      opened.push(params);
      // The client answers at once; the person takes a moment.
      setTimeout(() => void linkAccount("mail", ada, "ada@mail"), 300);
      return { action: "accept" };
    });
    const result = await client.callTool(CALL);
    expect(result).toMatchObject({ content: [{ type: "text", text: "ada@mail" }] });
    expect(opened).toEqual([expect.objectContaining({ mode: "url", url: PAGE })]);
    await endAccount("mail", ada);
    await client.close();
  });

  it("is a refusal with the page when the person declines", async () => {
    const { client } = await connect(endpoint, { credential, era, options: opensPages });
    let asked = 0;
    client.setRequestHandler("elicitation/create", () => {
      asked += 1;
      return { action: "decline" };
    });
    const result = await client.callTool(CALL);
    expect(result.isError).toBe(true);
    expect(asked).toBe(1);
    await client.close();
  });

  it("is a refusal with the page for a client that opens no addresses, and for an agent without a person", async () => {
    const headers = { "mcp-protocol-version": era, "mcp-method": "tools/call", "mcp-name": "whoami" };
    const answer = await post(endpoint, credential, statelessMessage("tools/call", CALL), headers);
    const { result } = (await answer.json()) as { result: { isError: boolean; content: { text: string }[] } };
    expect(result.isError).toBe(true);
    expect(result.content[0]?.text).toContain("authorization_needed");
    expect(result.content[0]?.text).toContain(PAGE);
    const nobody = await upstreams.corp.token({ sub: "nobody" });
    const { client } = await connect(endpoint, { credential: nobody, era, options: opensPages });
    expect((await client.callTool(CALL)).isError).toBe(true);
    await client.close();
  });
});

describe("a call that needs a linked account, before 2026-07-28", () => {
  it("is a refusal whose text has the code and the page", async () => {
    const { client } = await connect(endpoint, { credential, era: "2025-11-25", options: opensPages });
    const result = await client.callTool(CALL);
    expect(result.isError).toBe(true);
    const text = JSON.stringify(result.content);
    expect(text).toContain("authorization_needed");
    expect(text).toContain(PAGE);
    await client.close();
  });
});
