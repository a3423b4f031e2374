// The SDK's client of 1.x with its OAuth provider.
import { UnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CALL, memoryProvider, takeSteps } from "./steps.mjs";

const [url = "", identity = "", port = ""] = process.argv.slice(2);
const { authProvider, returned, spoil } = memoryProvider(identity, port);
const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });
const first = transport();
await new Client({ name: "sdk-1", version: "1" }).connect(first).catch((error) => {
  if (!(error instanceof UnauthorizedError)) throw error;
});
await first.finishAuth((await returned).get("code"));
const client = new Client({ name: "sdk-1", version: "1" });
await client.connect(transport());
await takeSteps({ list: () => client.listTools(), call: () => client.callTool(CALL), spoil });
