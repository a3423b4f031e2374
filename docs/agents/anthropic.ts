import type Anthropic from "@anthropic-ai/sdk";
import type { MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import type { Quartermaster } from "./quartermaster";

/** Turns until an agent is stopped. */
const MAX_TURNS = 10;

/** Answers a question with Anthropic's Messages API and the caller's tools. */
export async function answer(anthropic: Anthropic, quartermaster: Quartermaster, question: string): Promise<string> {
  const tools = await quartermaster.tools<Tool>("anthropic");
  const messages: MessageParam[] = [{ role: "user", content: question }];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const message = await anthropic.messages.create({ model: "claude-sonnet-4-6", max_tokens: 1024, tools, messages });
    const calls = message.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const results = await Promise.all(
      calls.map(async ({ id, name, input }) => ({
        type: "tool_result" as const,
        tool_use_id: id,
        content: await quartermaster.call(name, input),
      })),
    );
    messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
  }
  throw new Error("The model did not come to an end.");
}
