import type OpenAI from "openai";
import type { FunctionTool } from "openai/resources/responses/responses";
import type { Quartermaster } from "./quartermaster";

/** Turns until an agent is stopped. */
const MAX_TURNS = 10;

/** Answers a question with OpenAI's Responses API and the caller's tools. */
export async function answer(openai: OpenAI, quartermaster: Quartermaster, question: string): Promise<string> {
  const model = "gpt-5.4";
  const tools = await quartermaster.tools<FunctionTool>("openai");
  let response = await openai.responses.create({ model, tools, input: question });
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const calls = response.output.filter((item) => item.type === "function_call");
    if (calls.length === 0) return response.output_text;
    const input = await Promise.all(
      calls.map(async ({ call_id, name, arguments: args }) => ({
        type: "function_call_output" as const,
        call_id,
        output: await quartermaster.call(name, JSON.parse(args)),
      })),
    );
    response = await openai.responses.create({ model, tools, previous_response_id: response.id, input });
  }
  throw new Error("The model did not come to an end.");
}
