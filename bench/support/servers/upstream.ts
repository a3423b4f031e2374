import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serve } from "@/test/support/servers/serve";

// The upstreams of the calls, in a separate process: an MCP server (2026-07-28) with one tool that echoes its arguments, and
// a port that accepts requests and never answers. Sends both addresses as `host:port`.

const handler = createMcpHandler(() => {
  const server = new Server({ name: "upstream", version: "1" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({
    tools: [{ name: "echo", description: "Says what it is told.", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: JSON.stringify(params.arguments) }],
  }));
  return server;
});
const mcp = await serve((request) => handler.fetch(request));

const silent = createServer((socket) => socket.on("error", () => {}).resume());
silent.listen(0, "127.0.0.1", () =>
  process.send?.({ mcp: mcp.host, silent: `127.0.0.1:${(silent.address() as AddressInfo).port}` }),
);
process.once("disconnect", () => process.exit(0));
