import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedMcpConnections } from "@/lib/calls/mcp/connections";
import { Client, save } from "@/test/api/agents-world";
import {
  addOpenIdPerson,
  begin,
  documentOf,
  linkAccount,
  startUpstreams,
  statusOf,
  type LinkingUser,
  type Upstreams,
} from "@/test/api/credentials/linked-world";
import { connect, serveMcp, type McpEndpoint } from "@/test/api/mcp-world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";
import { SCOPE, WRITE_SCOPE } from "@/test/support/servers/link-server";

// The upstreams grant `mail:read` first. Their tools `send` and `reply` need `mail:write`: the upstreams answer 403 `insufficient_scope`.

const database = useDatabase();
let upstreams: Upstreams;
let ada: LinkingUser;
let asAda: Client;
let credential: string;

beforeAll(async () => {
  upstreams = await startUpstreams();
  await save(documentOf(upstreams));
  ada = await addOpenIdPerson("ada", upstreams.corp.issuer);
  credential = await upstreams.corp.token({ sub: "ada" });
  asAda = new Client(credential);
});
afterAll(async () => {
  await sharedMcpConnections().close();
  await upstreams.close();
});
beforeEach(() => database.query("delete from linked_account"));

const call = (tool: string) => asAda.call({ tool_id: tool, arguments: {} });
const scopesOfLink = async (source: string) => {
  const { url } = (await begin(source, ada)).json;
  return new URL(url).searchParams.get("scope")?.split(" ").toSorted();
};

describe.each([
  ["mail", "mail:whoami", "mail:send"],
  ["tickets", "tickets:mine", "tickets:reply"],
])("a call of the source %s that needs more scopes than were granted", (source, narrow, wide) => {
  it("is refused with the page and the scope, and works after the next sign-in", async () => {
    await linkAccount(source, ada, "ada@mail");
    expect(await scopesOfLink(source)).toEqual([SCOPE, "offline_access"]);
    const refused = await call(wide);
    const url = `${ORIGIN}/admin/linked-accounts/${source}`;
    expect(refused.status).toBe(403);
    expect(refused.json).toMatchObject({
      status: "denied",
      error: { code: "authorization_needed", details: { source, connect_url: url, scope: WRITE_SCOPE } },
    });
    const [row] = await database.query<{ status: string }>(`select status from execution_outcome where "callId" = $1`, [
      refused.json.call_id,
    ]);
    expect(row?.status).toBe("denied");
    expect(refused.json.error?.message).toContain(
      `needs more access to your account for this call: \`${WRITE_SCOPE}\``,
    );
    // Calls that need no more go on with the account as it is.
    expect((await call(narrow)).json.status).toBe("succeeded");
    expect(await statusOf(source, ada)).toMatchObject({ account: { state: "linked", wantedScope: WRITE_SCOPE } });
    // A new grant replaces the former, so the next sign-in asks for the granted scopes too.
    expect(await scopesOfLink(source)).toEqual([SCOPE, WRITE_SCOPE, "offline_access"]);
    await linkAccount(source, ada, "ada@mail");
    expect((await call(wide)).json.status).toBe("succeeded");
    expect((await call(narrow)).json.status).toBe("succeeded");
    expect((await statusOf(source, ada)).account).toMatchObject({ wantedScope: null });
  });
});

it("an upstream that refuses the scopes that it has granted gets no further sign-in", async () => {
  await linkAccount("tickets", ada, "ada@mail");
  await database.query("update linked_account set scope = scope || $1", [` ${WRITE_SCOPE}`]);
  const { json } = await call("tickets:reply");
  expect(json.error?.code).toBe("upstream_auth_failed");
  expect(json.error?.message).toContain(`although it has the scopes that it names (${WRITE_SCOPE})`);
  expect((await statusOf("tickets", ada)).account).toMatchObject({ wantedScope: null });
});

describe("a client that opens addresses", () => {
  let endpoint: McpEndpoint;
  beforeAll(async () => void (endpoint = await serveMcp()));
  afterAll(() => endpoint.close());

  it("is asked to open the page, and gets the answer when the scope is granted", async () => {
    await linkAccount("mail", ada, "ada@mail");
    const options = { capabilities: { elicitation: { url: {} } } };
    const { client } = await connect(endpoint, { credential, era: "2026-07-28", options });
    const opened: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      opened.push(params);
      // The client answers at once; the person takes a moment.
      setTimeout(() => void linkAccount("mail", ada, "ada@mail"), 1_500);
      return { action: "accept" };
    });
    expect(await client.callTool({ name: "send", arguments: {} })).toMatchObject({
      content: [{ type: "text", text: "sent" }],
    });
    expect(opened).toEqual([expect.objectContaining({ mode: "url", url: `${ORIGIN}/admin/linked-accounts/mail` })]);
    await client.close();
  });
});
