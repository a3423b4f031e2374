/**
 * A whole answer before it is a `Response`: `route` adds what every answer says besides, and the lean front writes it as
 * it is. A `Response` is a stream: to make one of bytes, and bytes of it again, costs more than all else of a list.
 */
export class Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly status: number;
  /** By names in lower case. Not an object: one that is put together of others is slow to write. */
  readonly headers: Map<string, string>;

  constructor(body: Reply["body"], status = 200, headers: Readonly<Record<string, string>> = {}) {
    this.body = body;
    this.status = status;
    this.headers = new Map(Object.entries(headers));
  }

  /** A value as JSON. */
  static json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Reply {
    return new Reply(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
  }

  toResponse(): Response {
    const { body, status, headers } = this;
    return new Response(body, { status, headers: [...headers] });
  }
}
