/**
 * A whole answer before it is a `Response`: `route` adds what every answer says besides, and the lean front writes it as
 * it is. A `Response` is a stream: to make one of bytes, and bytes of it again, costs more than all else of a list.
 */
export class Reply {
  readonly body: string | Uint8Array<ArrayBuffer> | null;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: Reply["body"], status = 200, headers: Reply["headers"] = {}) {
    this.body = body;
    this.status = status;
    this.headers = headers;
  }

  /** A value as JSON. */
  static json(value: unknown, status = 200, headers: Reply["headers"] = {}): Reply {
    return new Reply(JSON.stringify(value), status, { "content-type": "application/json", ...headers });
  }

  toResponse(): Response {
    const { body, status, headers } = this;
    return new Response(body, { status, headers });
  }
}
