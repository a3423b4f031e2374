import type { Content, FunctionDeclaration, GoogleGenAI } from "@google/genai";
import type { Quartermaster } from "./quartermaster";

/** Turns until an agent is stopped. */
const MAX_TURNS = 10;

/** Answers a question with Google's Gemini API and the caller's tools. */
export async function answer(gemini: GoogleGenAI, quartermaster: Quartermaster, question: string): Promise<string> {
  const functionDeclarations = await quartermaster.tools<FunctionDeclaration>("gemini");
  const contents: Content[] = [{ role: "user", parts: [{ text: question }] }];
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    const response = await gemini.models.generateContent({
      model: "gemini-3-flash",
      contents,
      config: { tools: [{ functionDeclarations }] },
    });
    const calls = response.functionCalls ?? [];
    if (calls.length === 0) return response.text ?? "";
    const results = await Promise.all(
      calls.map(async ({ id, name = "", args }) => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          name,
          response: { output: await quartermaster.call(name, args) },
        },
      })),
    );
    contents.push(response.candidates?.[0]?.content ?? { role: "model" }, { role: "user", parts: results });
  }
  throw new Error("The model did not come to an end.");
}
