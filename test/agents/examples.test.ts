import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { answer as withAnthropic } from "@/docs/agents/anthropic";
import { answer as withGemini } from "@/docs/agents/gemini";
import { listAndCall } from "@/docs/agents/mcp";
import { answer as withOpenAiChat } from "@/docs/agents/openai-chat";
import { answer as withOpenAiResponses } from "@/docs/agents/openai-responses";
import { Quartermaster } from "@/docs/agents/quartermaster";
import { findAgentRoute } from "@/lib/server/routes";
import { db } from "@/lib/store/db/database";
import { getExecution } from "@/lib/store/log/executions";
import { playVendors } from "@/test/agents/played-vendors";
import { idsOf, keyOf, save, supportDocument, Client } from "@/test/api/agents-world";
import { useDatabase } from "@/test/support/database";
import { serve, type Served } from "@/test/support/servers/serve";

useDatabase();
let quartermaster: Served;
let vendors: Served;
let key: string;

/** Strict mode makes a model state every field, so `limit` is null. */
const PART = { name: "search_tools", args: { query: "calculate", limit: null } };

beforeAll(async () => {
  await save(supportDocument());
  key = await keyOf("reader");
  quartermaster = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    const route = findAgentRoute(pathname);
    const handler = route?.methods[request.method as "GET" | "POST" | "DELETE"];
    return handler === undefined
      ? new Response(null, { status: 404 })
      : handler(request, { params: Promise.resolve({ ...route?.params }) });
  });
  vendors = await playVendors(PART);
});
afterAll(() => Promise.all([quartermaster.close(), vendors.close()]));

const secret = { apiKey: "no-secret", maxRetries: 0 };
const openai = () => new OpenAI({ ...secret, baseURL: `${vendors.origin}/v1` });

it.each<[string, (tools: Quartermaster) => Promise<string>]>([
  ["OpenAI's Responses API", (tools) => withOpenAiResponses(openai(), tools, "What can you compute with?")],
  ["OpenAI's Chat Completions API", (tools) => withOpenAiChat(openai(), tools, "What can you compute with?")],
  [
    "Anthropic's Messages API",
    (tools) => withAnthropic(new Anthropic({ ...secret, baseURL: vendors.origin }), tools, "What?"),
  ],
  [
    "Google's Gemini API",
    (tools) =>
      withGemini(new GoogleGenAI({ apiKey: "no-secret", httpOptions: { baseUrl: vendors.origin } }), tools, "What?"),
  ],
])("the example for %s lists, calls and answers, and the call is in the log", async (_, answer) => {
  const before = await db().execution.count();
  const text = await answer(new Quartermaster(quartermaster.origin, key));
  expect(text).toContain('"tool_id":"builtin:calculate"');
  expect(await db().execution.count()).toBe(before + 1);
  const last = await db().execution.findFirstOrThrow({ orderBy: { at: "desc" } });
  expect(await getExecution(last.callId, { bodies: true })).toMatchObject({
    toolId: "builtin:search_tools",
    agent: "reader",
    arguments: { query: "calculate" },
    status: "succeeded",
  });
});

it("the example for the Model Context Protocol lists what REST lists, and calls", async () => {
  const { names, result } = await listAndCall(quartermaster.origin, key, "calculate", { expression: "6 * 7" });
  const listed = (await new Client(key).list()).json;
  expect(names).toEqual(listed.data.map(({ name }) => name));
  expect(idsOf(listed)).toContain("builtin:calculate");
  expect(result).toEqual({ value: 42 });
});

it("a refusal is something that the model can read", async () => {
  const text = await new Quartermaster(quartermaster.origin, key).call("close_ticket", {});
  expect(JSON.parse(text)).toMatchObject({ status: "denied", error: { code: "tool_not_available" } });
});

it("a wrong key is an error that says so", async () => {
  await expect(new Quartermaster(quartermaster.origin, "qm_wrong").tools("openai")).rejects.toThrow(/\w+/);
});
