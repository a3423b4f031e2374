// Vercel's AI SDK, without a model: its tools are listed, and one is executed as a model's call would be.
import { createMCPClient } from "@ai-sdk/mcp";

const [url = "", key = ""] = process.argv.slice(2);
const client = await createMCPClient({ transport: { type: "http", url, headers: { authorization: `Bearer ${key}` } } });
const tools = await client.tools();
const options = { toolCallId: "1", messages: [], context: {} };
const result = await tools["calculate"]?.execute?.({ expression: "6 * 7" }, /** @type {never} */ (options));
await client.close();
process.stdout.write(JSON.stringify({ names: Object.keys(tools), result }));
