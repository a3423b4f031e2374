/**
 * A complete answer before it becomes a `Response`. `route` adds the common headers, and the gateway writes it
 * directly. A `Response` is a stream: converting bytes to one and back costs more than the rest of a list request.
 */
export class Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly status: number;
  /** Headers by lower-case name. A map, because an object built from other objects is slow to write. */
  readonly headers = new Map<string, string>();

  constructor(body: Reply["body"], status = 200, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.status = status;
    for (const [name, value] of Object.entries(headers)) this.headers.set(name, value);
  }

  static json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
    return new Reply(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
  }

  toResponse(): Response {
    const { body, status, headers } = this;
    return new Response(body, { status, headers: [...headers] });
  }
}
