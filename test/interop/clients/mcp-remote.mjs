// mcp-remote, the bridge of clients that speak only stdio: it signs in, and a client behind it lists and calls.
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [url = "", clientId = "", port = ""] = process.argv.slice(2);
const bridge = createRequire(import.meta.url).resolve("mcp-remote/dist/proxy.js");
const info = JSON.stringify({ client_id: clientId });
const args = [bridge, url, port, "--host", "127.0.0.1", "--static-oauth-client-info", info, "--auth-timeout", "120"];
const transport = new StdioClientTransport({
  command: process.execPath,
  args,
  env: { HOME: process.env.HOME ?? "", PATH: "" },
  stderr: "inherit",
});
const client = new Client({ name: "behind-mcp-remote", version: "1" });
await client.connect(transport, { timeout: 150_000 });
const { tools } = await client.listTools();
const result = await client.callTool({ name: "calculate", arguments: { expression: "6 * 7" } });
await client.close();
process.stdout.write(JSON.stringify({ names: tools.map(({ name }) => name), result }));
