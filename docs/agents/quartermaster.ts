/** A format of `GET /api/agents/tools`. */
type Format = "native" | "openai" | "openai-chat" | "anthropic" | "gemini" | "mcp";

/** The two requests that an agent needs: which tools it has, and a call of one. */
export class Quartermaster {
  readonly #origin: string;
  readonly #key: string;

  /** @param origin such as `https://tools.example.com`; @param key an API key, or a token of an issuer that is configured */
  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  /** The caller's list as its model's vendor wants it. */
  async tools<Tool>(format: Format): Promise<Tool[]> {
    const { data } = (await this.#ask(`/api/agents/tools?format=${format}`)) as { data: Tool[] };
    return data;
  }

  /** What the tool answered, or why it did not: JSON text, for the model to read. Both are results, not exceptions. */
  async call(name: string, args: unknown): Promise<string> {
    const { status, output, error } = (await this.#ask("/api/agents/tools/call", { name, arguments: args })) as {
      status?: string;
      output?: unknown;
      error?: unknown;
    };
    return JSON.stringify(status === "succeeded" ? output : { status, error });
  }

  async #ask(path: string, body?: object): Promise<object> {
    const response = await fetch(new URL(path, this.#origin), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { call_id?: string; detail?: string };
    // The answer to a call is an answer, whatever its status; anything else is a problem document.
    if (!response.ok && answer.call_id === undefined) throw new Error(answer.detail ?? `HTTP ${response.status}`);
    return answer;
  }
}
