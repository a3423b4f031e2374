import type { ExampleCall } from "@/components/agents/use-example-call";
import { quoted } from "@/components/ui/quoted";

/** The credential in a snippet: the key itself, or the variable that holds it. */
export type SnippetKey = { readonly kind: "key"; readonly key: string } | { readonly kind: "variable" };

/** One way to connect an agent. */
interface Snippet {
  readonly value: string;
  readonly label: string;
  readonly code: string;
}

/** The environment variable for the key, as in the guides. */
const VARIABLE = "QUARTERMASTER_KEY";

/**
 * Code that connects an agent, by client. The address and, if given, the key are filled in. The calls use `example`, a
 * tool that the agent sees; without one, the code only lists its tools.
 */
export function snippetsFor(origin: string, given: SnippetKey, example: ExampleCall | null): readonly Snippet[] {
  const shell = given.kind === "key" ? given.key : `$${VARIABLE}`;
  const json = given.kind === "key" ? given.key : `\${${VARIABLE}}`;
  const script =
    given.kind === "key" ? JSON.stringify(`Bearer ${given.key}`) : `\`Bearer \${process.env.${VARIABLE}}\``;
  return [
    { value: "curl", label: "curl", code: curl(origin, shell, example) },
    { value: "mcp", label: "MCP", code: mcpClient(origin, json) },
    { value: "ai-sdk", label: "AI SDK", code: aiSdk(origin, script) },
    { value: "openai", label: "OpenAI", code: openAi(origin, script) },
    { value: "anthropic", label: "Anthropic", code: anthropic(origin, script) },
  ];
}

function curl(origin: string, key: string, example: ExampleCall | null): string {
  const list = `curl -sS "${origin}/api/agents/tools" \\
  -H "Authorization: Bearer ${key}"`;
  if (example === null) return list;
  return `${list}

curl -sS "${origin}/api/agents/tools/call" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d ${quoted(JSON.stringify(example))}`;
}

function mcpClient(origin: string, key: string): string {
  const server = { type: "http", url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}` } };
  return JSON.stringify({ mcpServers: { quartermaster: server } }, null, 2);
}

function aiSdk(origin: string, authorization: string): string {
  return `import { createMCPClient } from "@ai-sdk/mcp";

const quartermaster = await createMCPClient({
  transport: {
    type: "http",
    url: "${origin}/mcp",
    headers: { Authorization: ${authorization} },
  },
});
const tools = await quartermaster.tools();`;
}

function openAi(origin: string, authorization: string): string {
  return `import OpenAI from "openai";

${loadTools(origin, authorization, "openai")}
const response = await new OpenAI().responses.create({
  model: "gpt-5.4",
  tools,
  input: "Which tools can you use?",
});
// Send each function_call to POST ${origin}/api/agents/tools/call.`;
}

function anthropic(origin: string, authorization: string): string {
  return `import Anthropic from "@anthropic-ai/sdk";

${loadTools(origin, authorization, "anthropic")}
const message = await new Anthropic().messages.create({
  model: "claude-sonnet-4-6",
  max_tokens: 1024,
  tools,
  messages: [{ role: "user", content: "Which tools can you use?" }],
});
// Send each tool_use to POST ${origin}/api/agents/tools/call.`;
}

function loadTools(origin: string, authorization: string, format: string): string {
  return `const headers = { Authorization: ${authorization} };
const answer = await fetch("${origin}/api/agents/tools?format=${format}", { headers });
const { data: tools } = await answer.json();`;
}
