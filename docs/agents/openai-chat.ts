import type OpenAI from "openai";
import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import type { Quartermaster } from "./quartermaster";

/** Turns until an agent is stopped. */
const MAX_TURNS = 10;

/** Answers a question with OpenAI's Chat Completions API, which many other vendors speak too, and the caller's tools. */
export async function answer(openai: OpenAI, quartermaster: Quartermaster, question: string): Promise<string> {
  const model = "gpt-5.4";
  const tools = await quartermaster.tools<ChatCompletionFunctionTool>("openai-chat");
  const messages: ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const completion = await openai.chat.completions.create({ model, tools, messages });
    const message = completion.choices[0]?.message;
    if (message === undefined) throw new Error("The model did not answer.");
    const calls = (message.tool_calls ?? []).filter((call) => call.type === "function");
    if (calls.length === 0) return message.content ?? "";
    const results = await Promise.all(
      calls.map(async ({ id, function: { name, arguments: args } }) => ({
        role: "tool" as const,
        tool_call_id: id,
        content: await quartermaster.call(name, JSON.parse(args)),
      })),
    );
    messages.push(message, ...results);
  }
  throw new Error("The model did not come to an end.");
}
