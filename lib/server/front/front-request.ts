import type { IncomingMessage, ServerResponse } from "node:http";
import { NodeRequest } from "srvx/node";

/**
 * A Node request as a web-standard one. `arrayBuffer` collects the body directly: srvx would make a stream first, which
 * costs more than the rest of a short request.
 */
export class FrontRequest extends NodeRequest {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    super({ req: incoming, res: outgoing });
    this.#incoming = incoming;
  }

  /** @throws when the request breaks off, or the body was read before */
  override async arrayBuffer(): Promise<ArrayBuffer> {
    const { readableDidRead, destroyed } = this.#incoming;
    return readableDidRead || destroyed ? super.arrayBuffer() : whole(this.#incoming);
  }
}

function whole(incoming: IncomingMessage): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .once("end", () => resolve(new Uint8Array(Buffer.concat(chunks)).buffer))
      .once("error", reject)
      .once("close", () => {
        if (!incoming.readableEnded) reject(new DOMException("The request broke off.", "AbortError"));
      });
  });
}
