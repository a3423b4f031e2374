import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A message as received. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly json: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

/** A loopback receiver of webhooks and callbacks. By default it answers 200. */
export interface Receiver {
  /** `host:port`, for OUTBOUND_ALLOW. */
  readonly host: string;
  readonly url: string;
  /** The received messages, oldest first. */
  readonly received: Received[];
  /** How the next requests are answered, one each; then 200. */
  readonly answers: ((response: ServerResponse) => void)[];
  close(): Promise<void>;
}

/** @param port 0 = any that is free */
export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const answers: Receiver["answers"] = [];
  const server = createServer((request, response) => void receive(request, response));
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    received.push({
      headers: request.headers as Record<string, string>,
      body,
      json: JSON.parse(body) as Received["json"],
    });
    const answer = answers.shift();
    if (answer === undefined) response.writeHead(200).end("thank you");
    else answer(response);
  };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/hooks`,
    received,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers with a status and nothing else. */
export function status(code: number, headers: Record<string, string> = {}): (response: ServerResponse) => void {
  return (response) => void response.writeHead(code, headers).end(`status ${code}`);
}

/**
 * Whether a message is signed with this secret, as its receiver has to check (Standard Webhooks 1.0): written down a second
 * time on purpose.
 */
export function isSignedWith({ headers, body }: Received, secret: string): boolean {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const own = createHmac("sha256", key).update(content).digest("base64");
  return headers["webhook-signature"]?.split(" ").includes(`v1,${own}`) === true;
}
