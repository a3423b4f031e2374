import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { GRACE_MS, waitUntilAnswers } from "@/bin/boot/child.mjs";
import { DRAIN_MS } from "@/lib/server/front/front";

const running = {
  pid: 0,
  stopped: new Promise<string>(() => {}),
  send() {},
  show() {},
  output: () => "",
  async stop() {},
};
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(handle: RequestListener): Promise<string> {
  const started = createServer(handle);
  server = started;
  await new Promise<void>((done) => started.listen(0, "127.0.0.1", done));
  return `http://127.0.0.1:${(started.address() as AddressInfo).port}/`;
}

test("a program has longer to end than the gateway waits for its calls", () => {
  expect(GRACE_MS).toBeGreaterThan(DRAIN_MS);
});

test("a program that accepts a request and never answers is given up at the deadline", async () => {
  const url = await serve(() => {});
  await expect(waitUntilAnswers(running, url, { withinMs: 200 })).rejects.toThrow("does not respond");
});

test("an answer that breaks off is requested again", async () => {
  let requests = 0;
  const url = await serve((_, response) => {
    requests += 1;
    if (requests > 1) response.end("ok");
    else {
      response.writeHead(200, { "content-length": "10" });
      response.write("half", () => response.destroy());
    }
  });
  await waitUntilAnswers(running, url);
  expect(requests).toBe(2);
});
