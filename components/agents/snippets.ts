import type { ExampleCall } from "@/components/agents/use-example-call";
import { quoted } from "@/components/ui/text/quoted";

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

/** What the code of an agent needs. */
interface Connection {
  readonly origin: string;
  readonly given: SnippetKey;
  /** A call of a tool that the agent sees; without one, the code only lists its tools. */
  readonly example: ExampleCall | null;
  /** Whether lists and calls need a session, because the server holds the state of the agent's machine. */
  readonly inSession: boolean;
}

/** A session without `group` would have only the tools of the group `default`. */
const SESSION_BODY = { group: ["*"] };

/** Code that connects an agent, by client. The address and, if given, the key are filled in. */
export function snippetsFor(connection: Connection): readonly Snippet[] {
  const { origin, given, inSession } = connection;
  const json = given.kind === "key" ? given.key : `\${${VARIABLE}}`;
  const script =
    given.kind === "key" ? JSON.stringify(`Bearer ${given.key}`) : `\`Bearer \${process.env.${VARIABLE}}\``;
  return [
    { value: "curl", label: "curl", code: curlWithList(connection) },
    { value: "mcp", label: "Claude, Cursor (MCP)", code: mcpClient(origin, json, inSession) },
    { value: "ai-sdk", label: "AI SDK", code: aiSdk(origin, script, inSession) },
    { value: "openai", label: "OpenAI", code: openAi(origin, script, inSession) },
    { value: "anthropic", label: "Anthropic", code: anthropic(origin, script, inSession) },
  ];
}

/** Commands that open a session if one is needed, list the agent's tools and call one. */
export function curlWithList({ origin, given, example, inSession }: Connection): string {
  const key = given.kind === "key" ? given.key : `$${VARIABLE}`;
  const authorization = `-H "Authorization: Bearer ${key}"`;
  const json = '-H "Content-Type: application/json"';
  const open = `SESSION=$(curl -sS "${origin}/api/agents/sessions" \\
  ${authorization} \\
  ${json} \\
  -d ${quoted(JSON.stringify(SESSION_BODY))} | sed 's/.*"session_id":"\\([^"]*\\)".*/\\1/')`;
  const list = `curl -sS "${origin}/api/agents/tools${inSession ? "?session_id=$SESSION" : ""}" \\
  ${authorization}`;
  const parts = inSession ? [open, list] : [list];
  if (example === null) return parts.join("\n\n");
  const body = quoted(JSON.stringify(inSession ? { ...example, session_id: "$SESSION" } : example));
  const call = `curl -sS "${origin}/api/agents/tools/call" \\
  ${authorization} \\
  ${json} \\
  -d ${body.replace('"$SESSION"', `"'"$SESSION"'"`)}`;
  return [...parts, call].join("\n\n");
}

function mcpClient(origin: string, key: string, inSession: boolean): string {
  const session = inSession ? { "x-qm-session-id": "ses_…" } : {};
  const server = { type: "http", url: `${origin}/mcp`, headers: { Authorization: `Bearer ${key}`, ...session } };
  return JSON.stringify({ mcpServers: { quartermaster: server } }, null, 2);
}

function aiSdk(origin: string, authorization: string, inSession: boolean): string {
  const headers = inSession ? 'headers: { ...headers, "x-qm-session-id": session_id }' : "headers";
  return `import { createMCPClient } from "@ai-sdk/mcp";

${headersOf(origin, authorization, inSession)}
const quartermaster = await createMCPClient({
  transport: { type: "http", url: "${origin}/mcp", ${headers} },
});
const tools = await quartermaster.tools();`;
}

function openAi(origin: string, authorization: string, inSession: boolean): string {
  return `import OpenAI from "openai";

${loadTools(origin, authorization, inSession, "openai")}
const response = await new OpenAI().responses.create({
  model: "gpt-5.4",
  tools,
  input: "Which tools can you use?",
});
// Send each function_call to POST ${origin}/api/agents/tools/call${inSession ? " with the session_id" : ""}.`;
}

function anthropic(origin: string, authorization: string, inSession: boolean): string {
  return `import Anthropic from "@anthropic-ai/sdk";

${loadTools(origin, authorization, inSession, "anthropic")}
const message = await new Anthropic().messages.create({
  model: "claude-sonnet-4-6",
  max_tokens: 1024,
  tools,
  messages: [{ role: "user", content: "Which tools can you use?" }],
});
// Send each tool_use to POST ${origin}/api/agents/tools/call${inSession ? " with the session_id" : ""}.`;
}

/** The headers of every request, and the session. */
function headersOf(origin: string, authorization: string, inSession: boolean): string {
  const headers = `const headers = { Authorization: ${authorization} };`;
  if (!inSession) return headers;
  return `${headers}
const opened = await fetch("${origin}/api/agents/sessions", {
  method: "POST",
  headers: { ...headers, "Content-Type": "application/json" },
  body: JSON.stringify(${JSON.stringify(SESSION_BODY)}),
});
const { session_id } = await opened.json();`;
}

function loadTools(origin: string, authorization: string, inSession: boolean, format: string): string {
  const address = `${origin}/api/agents/tools?format=${format}`;
  const url = inSession ? `\`${address}&session_id=\${session_id}\`` : `"${address}"`;
  return `${headersOf(origin, authorization, inSession)}
const answer = await fetch(${url}, { headers });
const { data: tools } = await answer.json();`;
}
