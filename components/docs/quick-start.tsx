import { CodeBlock } from "@/components/docs/code-block";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";

const STEPS = [
  {
    title: "Get a key",
    text: "An administrator creates an API key under Agents & keys. The page shows the key once. A token (JWT) of a configured issuer works too. Keep the credential in an environment variable, never in a URL.",
    code: "export QUARTERMASTER_URL={origin}\nexport QUARTERMASTER_KEY=qm_…",
  },
  {
    title: "List your tools",
    text: "The list contains every tool that you can call. `format=openai`, `anthropic`, `gemini` or `mcp` returns `data` in the format of that vendor. Store the `ETag` and send it as `If-None-Match`. The answer is 304 if the list has not changed.",
    code: 'curl -sS "$QUARTERMASTER_URL/api/agents/tools?format=native" \\\n  -H "Authorization: Bearer $QUARTERMASTER_KEY"',
  },
  {
    title: "Call a tool",
    text: "Name the tool by its `tool_id`, or by the `name` that your model chose. The answer is always a tool call result. `status` says how the call ended. `output` is the output of the tool. You can show `error.message` to the model. `error.retryable` says whether to try again.",
    code: `curl -sS "$QUARTERMASTER_URL/api/agents/tools/call" \\
  -H "Authorization: Bearer $QUARTERMASTER_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"tool_id": "builtin:calculate", "arguments": {"expression": "6 * 7"}}'`,
  },
] as const;

/** Three steps to the first tool call. */
export function QuickStart({ origin }: { origin: string }) {
  return (
    <ol className="flex flex-col gap-6">
      {STEPS.map(({ title, text, code }, index) => (
        <li key={title} className="min-w-0">
          <h2 className="text-lg font-semibold">
            {index + 1}. {title}
          </h2>
          <WithCode as="p" className="mt-1 mb-2 max-w-prose text-muted" text={text} />
          <CodeBlock code={code.replace("{origin}", origin)} label={title} />
        </li>
      ))}
      <li className="list-none text-muted">
        Full reference: the <TextLink href="/docs/agent-api">Agent API</TextLink>.
      </li>
    </ol>
  );
}
