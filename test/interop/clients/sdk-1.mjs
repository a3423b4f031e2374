// The SDK's client of 1.x: prints what it lists and what a call answers.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url = "", key = ""] = process.argv.slice(2);
const client = new Client({ name: "sdk-1", version: "1" });
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
);
const { tools } = await client.listTools();
const result = await client.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
await client.close();
process.stdout.write(JSON.stringify({ names: tools.map(({ name }) => name), result }));
