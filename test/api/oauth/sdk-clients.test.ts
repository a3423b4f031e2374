import { beforeAll, expect, it } from "vitest";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { save, supportDocument } from "@/test/api/agents-world";
import { SdkProvider } from "@/test/api/oauth/sdk-provider";
import { useGateway } from "@/test/api/oauth/world";
import { useDatabase } from "@/test/support/database";
import { ORIGIN } from "@/test/support/person";

useDatabase();

beforeAll(() => save(supportDocument()));
const gateway = useGateway();

it.each(["legacy", { pin: "2026-07-28" }] as const)(
  "the SDK's client knows only the address, signs in and calls a tool: %j",
  async (mode) => {
    const authProvider = new SdkProvider(gateway, { port: 43118 });
    const address = new URL("/mcp", ORIGIN);
    const transport = () => new StreamableHTTPClientTransport(address, { authProvider, fetch: gateway.send });
    const client = () => new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    const first = transport();
    await expect(client().connect(first)).rejects.toMatchObject({ name: "UnauthorizedError" });
    await first.finishAuth(authProvider.callback);
    const connected = client();
    await connected.connect(transport());
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toContain("calculate");
    const result = await connected.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
    expect(result.structuredContent).toEqual({ value: 42 });
    await connected.close();
  },
);
