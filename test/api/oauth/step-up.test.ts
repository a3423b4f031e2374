import { beforeAll, expect, it } from "vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { viewConnectionRequest } from "@/lib/admin/connection-requests";
import { findUserByEmail } from "@/lib/store/config/users";
import { save, supportDocument } from "@/test/api/agents-world";
import { SdkProvider } from "@/test/api/oauth/sdk-provider";
import { CLIENT, connectAs, useGateway } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

const database = useDatabase();

/** The support team, whose tool `calculate` requires the scope `math`, and `random_number` the scope `chance`. */
function scopedDocument(): Record<string, unknown> {
  const document = supportDocument() as { tools: { name: string }[] };
  const required: Readonly<Record<string, string>> = { calculate: "math", simple_calculator: "chance" };
  const tools = document.tools.map((tool) => {
    const scope = required[tool.name];
    return scope === undefined ? tool : { ...tool, requiredScopes: [scope] };
  });
  return { ...document, tools };
}

beforeAll(() => save(scopedDocument()));
const gateway = useGateway();

/** What the person saw at each request to connect. */
interface Consent {
  readonly scopes: readonly string[];
  readonly newScopes: readonly string[];
  readonly connectedAs: string | null;
}

it("the SDK's client gets more scopes when a call needs them, keeps the ones it has, and the person sees what is new", async () => {
  const consents: Consent[] = [];
  const authProvider = new SdkProvider(gateway, {
    port: 43119,
    scope: "tools",
    onRequest: async (uid) => {
      const person = await findUserByEmail("admin@example.com");
      const view = person === null ? null : await viewConnectionRequest(uid, person.id);
      if (view !== null) consents.push(view);
    },
  });
  const address = new URL("/mcp", ORIGIN);
  const challenges: (string | null)[] = [];
  const send: typeof fetch = async (input, init) => {
    const answered = await gateway.send(input, init);
    if (answered.status === 403) challenges.push(answered.headers.get("www-authenticate"));
    return answered;
  };
  const transport = () => new StreamableHTTPClientTransport(address, { authProvider, fetch: send });
  const connected = async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "legacy" } });
    const at = transport();
    await client.connect(at);
    return { client, at };
  };
  // A connection with the base scope, as a client has that asked for it by name.
  const first = await connectAs(gateway, "reader");
  authProvider.saveTokens({ access_token: first.access, refresh_token: first.refresh, token_type: "Bearer" });
  authProvider.saveClientInformation({ client_id: CLIENT });
  for (const [name, args, scopes] of [
    ["calculate", { expression: "6 * 7" }, ["tools", "math"]],
    ["simple_calculator", { operation: "add", num1: 1, num2: 2 }, ["tools", "math", "chance"]],
  ] as const) {
    const { client, at } = await connected();
    await expect(client.callTool({ name, arguments: args })).rejects.toMatchObject({ name: "UnauthorizedError" });
    await at.finishAuth(authProvider.callback);
    await client.close();
    expect(consents.at(-1)?.scopes.toSorted()).toEqual([...scopes].toSorted());
    expect(consents.at(-1)).toMatchObject({ newScopes: scopes.slice(-1), connectedAs: "reader" });
    const again = await connected();
    const result = await again.client.callTool({ name, arguments: args });
    expect(result.isError).not.toBe(true);
    await again.client.close();
  }
  expect(challenges).toEqual(
    ["tools math", "tools math chance"].map((scopes): unknown =>
      expect.stringContaining(`error="insufficient_scope", scope="${scopes}", resource_metadata="${ORIGIN}/`),
    ),
  );
  // The scopes of the first step-up are still there.
  const { client } = await connected();
  expect((await client.callTool({ name: "calculate", arguments: { expression: "1" } })).isError).not.toBe(true);
  await client.close();
  expect(await database.query(`select count(*)::int as n from connection`)).toEqual([{ n: 1 }]);
});

it("the agent API answers 403 with the scopes of the token and those that it lacks", async () => {
  const { access } = await connectAs(gateway, "reader");
  const answered = await gateway.send("/api/agents/tools/call", {
    method: "POST",
    headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "calculate", arguments: { expression: "1" } }),
  });
  expect(answered.status).toBe(403);
  expect(await answered.json()).toMatchObject({ error: { code: "insufficient_scope" } });
  expect(answered.headers.get("www-authenticate")).toContain('error="insufficient_scope", scope="tools math"');
});
