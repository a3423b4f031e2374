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

  /** The caller's tools, in the format of the model's vendor. */
  async tools<Tool>(format: Format): Promise<Tool[]> {
    const { data } = (await this.#request(`/api/agents/tools?format=${format}`)) as { data: Tool[] };
    return data;
  }

  /**
   * Calls a tool. Returns JSON text for the model: the output, or the status and the error of a refused or failed call.
   */
  async call(name: string, args: unknown): Promise<string> {
    const { status, output, error } = (await this.#request("/api/agents/tools/call", { name, arguments: args })) as {
      status?: string;
      output?: unknown;
      error?: unknown;
    };
    return JSON.stringify(status === "succeeded" ? output : { status, error });
  }

  async #request(path: string, body?: object): Promise<object> {
    const response = await fetch(new URL(path, this.#origin), {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${this.#key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { call_id?: string; detail?: string };
    // A call's answer has a `call_id`, also when the call was refused or failed. Other errors are problem documents.
    if (!response.ok && answer.call_id === undefined) throw new Error(answer.detail ?? `HTTP ${response.status}`);
    return answer;
  }
}
