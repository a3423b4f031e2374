import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

/**
 * Lists the caller's tools and calls one over the Model Context Protocol. `/mcp?listing=search` shows three tools instead of
 * a long list; `/mcp?group=…` and the other parameters of the list narrow it.
 */
export async function listAndCall(
  origin: string,
  key: string,
  name: string,
  args: Record<string, unknown>,
): Promise<{ readonly names: readonly string[]; readonly result: unknown }> {
  const client = new Client({ name: "example", version: "1" });
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", origin), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    const { structuredContent, content } = await client.callTool({ name, arguments: args });
    return { names: tools.map((tool) => tool.name), result: structuredContent ?? content };
  } finally {
    await client.close();
  }
}
