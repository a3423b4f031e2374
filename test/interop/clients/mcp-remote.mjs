// mcp-remote, the bridge of clients that speak only stdio, and a client behind it.
import { createRequire } from "node:module";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CALL, spoilStoredTokens, takeSteps } from "./steps.mjs";

const [url = "", identity = "", port = ""] = process.argv.slice(2);
const bridge = createRequire(import.meta.url).resolve("mcp-remote/dist/proxy.js");
const own = identity.startsWith("https:")
  ? ["--client-metadata-url", identity]
  : ["--static-oauth-client-info", JSON.stringify({ client_id: identity })];
const args = [bridge, url, port, "--host", "127.0.0.1", ...(identity === "" ? [] : own), "--auth-timeout", "120"];
const { HOME = "" } = process.env;
const transport = new StdioClientTransport({
  command: process.execPath,
  args,
  env: { HOME, PATH: "" },
  stderr: "inherit",
});
const client = new Client({ name: "behind-mcp-remote", version: "1" });
await client.connect(transport, { timeout: 150_000 });
await takeSteps({ list: () => client.listTools(), call: () => client.callTool(CALL), spoil: spoilStoredTokens });
