import { LINTERS, type VendorFormat } from "@/test/manifest/lint";
import { serve, type Served } from "@/test/support/servers/serve";

/** The script of the fake model: calls this tool once, then repeats the tool's answer. */
export interface Part {
  readonly name: string;
  readonly args: object;
}

type Body = Readonly<Record<string, unknown>>;

/** One vendor's API, as far as an agent's loop uses it. */
interface Played {
  readonly path: RegExp;
  /** Its name among the linters, and the tools of a request. */
  readonly format: VendorFormat;
  readonly toolsOf: (body: Body) => readonly object[];
  /** What the tool answered, once the request holds it. */
  readonly resultOf: (body: Body) => string | undefined;
  readonly call: (part: Part) => object;
  readonly end: (text: string) => object;
}

const lastOf = (list: unknown) => (list as readonly Record<string, unknown>[]).at(-1);

const VENDORS: readonly Played[] = [
  {
    path: /\/v1\/responses$/,
    format: "openai",
    toolsOf: (body) => body["tools"] as object[],
    resultOf: ({ input }) => (Array.isArray(input) ? (lastOf(input)?.["output"] as string) : undefined),
    call: ({ name, args }) =>
      response([
        {
          type: "function_call",
          id: "fc_1",
          call_id: "call_1",
          name,
          arguments: JSON.stringify(args),
          status: "completed",
        },
      ]),
    end: (text) =>
      response([
        {
          type: "message",
          id: "msg_1",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ]),
  },
  {
    path: /\/v1\/chat\/completions$/,
    format: "openai-chat",
    toolsOf: (body) => body["tools"] as object[],
    resultOf: ({ messages }) =>
      lastOf(messages)?.["role"] === "tool" ? (lastOf(messages)?.["content"] as string) : undefined,
    call: ({ name, args }) =>
      completion({
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
      }),
    end: (text) => completion({ content: text }),
  },
  {
    path: /\/v1\/messages$/,
    format: "anthropic",
    toolsOf: (body) => body["tools"] as object[],
    resultOf: ({ messages }) => {
      const content = lastOf(messages)?.["content"];
      return Array.isArray(content) ? (lastOf(content)?.["content"] as string) : undefined;
    },
    call: ({ name, args }) => message("tool_use", [{ type: "tool_use", id: "toolu_1", name, input: args }]),
    end: (text) => message("end_turn", [{ type: "text", text }]),
  },
  {
    path: /:generateContent$/,
    format: "gemini",
    toolsOf: (body) =>
      (body["tools"] as { functionDeclarations: object[] }[]).flatMap(
        ({ functionDeclarations }) => functionDeclarations,
      ),
    resultOf: ({ contents }) => {
      const { functionResponse } = (lastOf(lastOf(contents)?.["parts"]) ?? {}) as {
        functionResponse?: { response: { output: string } };
      };
      return functionResponse?.response.output;
    },
    call: ({ name, args }) => candidate([{ functionCall: { name, args } }]),
    end: (text) => candidate([{ text }]),
  },
];

function response(output: readonly object[]): object {
  return { id: "resp_1", object: "response", created_at: 0, status: "completed", model: "played", output };
}

function completion(answer: object): object {
  return {
    id: "c_1",
    object: "chat.completion",
    created: 0,
    model: "played",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", refusal: null, ...answer } }],
  };
}

function message(reason: string, content: readonly object[]): object {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "played",
    stop_reason: reason,
    stop_sequence: null,
    content,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

function candidate(parts: readonly object[]): object {
  return { candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }] };
}

/**
 * Plays the vendors' APIs on loopback: no model thinks here. A list that breaks a published rule is refused with 400, as the
 * vendor would; else the part is played.
 */
export function playVendors(part: Part): Promise<Served> {
  return serve(async (request) => {
    const vendor = VENDORS.find(({ path }) => path.test(new URL(request.url).pathname));
    if (vendor === undefined) return Response.json({ error: { message: "not played" } }, { status: 404 });
    const body = (await request.json()) as Body;
    const problems = LINTERS[vendor.format](vendor.toolsOf(body));
    if (problems.length > 0) return Response.json({ error: { message: problems.join("; ") } }, { status: 400 });
    const result = vendor.resultOf(body);
    return Response.json(result === undefined ? vendor.call(part) : vendor.end(`The tool answered ${result}.`));
  });
}
