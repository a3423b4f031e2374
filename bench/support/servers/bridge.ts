import { setMaxListeners } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server, type ServerCapabilities } from "@modelcontextprotocol/server";
import { proxyServer, startHTTPServer } from "mcp-proxy";

// mcp-proxy as its own program assembles it, but connected over HTTP to the server that BRIDGE_UPSTREAM names, in one lasting
// session: the same server and transport as the other contenders use. Listens on port BRIDGE_PORT of loopback.

const client = new Client({ name: "mcp-proxy", version: "1.0.0" }, { capabilities: {} });
const transport = new StreamableHTTPClientTransport(new URL(process.env["BRIDGE_UPSTREAM"] ?? ""), {
  fetch: (address, init) => {
    // Node's fetch leaves a listener on the transport's one signal until the request is collected, and warns of thousands.
    if (init?.signal) setMaxListeners(0, init.signal);
    return fetch(address, init);
  },
});
await client.connect(transport);
const serverCapabilities: ServerCapabilities = client.getServerCapabilities() ?? {};
await startHTTPServer({
  createServer: async () => {
    const server = new Server(client.getServerVersion() ?? { name: "mcp-proxy", version: "1" }, {
      capabilities: serverCapabilities,
    });
    await proxyServer({ client, server, serverCapabilities });
    return server;
  },
  host: "127.0.0.1",
  port: Number(process.env["BRIDGE_PORT"]),
  sseEndpoint: null,
});
process.send?.("listening");
process.once("disconnect", () => process.exit(0));
