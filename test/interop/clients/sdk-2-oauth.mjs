// The SDK's client of 2.x with its OAuth provider.
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import { CALL, memoryProvider, takeSteps } from "./steps.mjs";

const [url = "", identity = "", port = ""] = process.argv.slice(2);
const { authProvider, returned, spoil } = memoryProvider(identity, port);
const transport = () => new StreamableHTTPClientTransport(new URL(url), { authProvider });
const first = transport();
await new Client({ name: "sdk-2", version: "1" }).connect(first).catch((error) => {
  if (!(error instanceof UnauthorizedError)) throw error;
});
await first.finishAuth(await returned);
const client = new Client({ name: "sdk-2", version: "1" });
await client.connect(transport());
await takeSteps({ list: () => client.listTools(), call: () => client.callTool(CALL), spoil });
