// LangChain's adapters, without a model: its tools are listed, and one is invoked.
import { MultiServerMCPClient } from "@langchain/mcp-adapters";

const [url = "", key = ""] = process.argv.slice(2);
const client = new MultiServerMCPClient({
  mcpServers: { quartermaster: { transport: "http", url, headers: { authorization: `Bearer ${key}` } } },
});
const tools = await client.getTools();
const result = await tools.find(({ name }) => name === "calculate")?.invoke({ expression: "6 * 7" });
await client.close();
process.stdout.write(JSON.stringify({ names: tools.map(({ name }) => name), result }));
