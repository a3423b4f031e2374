import { CodeBlock } from "@/components/docs/code-block";
import { TextLink } from "@/components/ui/text-link";
import { WithCode } from "@/components/ui/json/with-code";

const STEPS = [
  {
    title: "Get a key",
    text: "An admin makes one under Agents & keys; it is shown once. A token (JWT) of a configured issuer works the same. Keep it in the environment, never in an address.",
    code: "export QUARTERMASTER_URL={origin}\nexport QUARTERMASTER_KEY=qm_…",
  },
  {
    title: "List your tools",
    text: "What is listed is what can be called. `format=openai`, `anthropic`, `gemini` or `mcp` writes `data` as your model's vendor expects it. Keep the `ETag` and send it as `If-None-Match`: an unchanged list is a 304.",
    code: 'curl -sS "$QUARTERMASTER_URL/api/agents/tools?format=native" \\\n  -H "Authorization: Bearer $QUARTERMASTER_KEY"',
  },
  {
    title: "Call one",
    text: "By its `tool_id`, or by the `name` that your model chose. The answer is always a tool call result: `status` says how it ended, `output` is the tool's, `error.message` may be shown to the model, `error.retryable` says whether to try again.",
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
          <p className="mt-1 mb-2 max-w-prose text-muted">
            <WithCode text={text} />
          </p>
          <CodeBlock code={code.replace("{origin}", origin)} label={title} />
        </li>
      ))}
      <li className="list-none text-muted">
        Everything else: the <TextLink href="/docs/agent-api">Agent API</TextLink>.
      </li>
    </ol>
  );
}
