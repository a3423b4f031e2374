import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

/** A server made as Next makes one, and a client that never finishes its headers: what it is told, and when. */
const SLOW_CLIENT = `
  const { createServer } = require("node:http");
  const { connect } = require("node:net");
  const server = createServer((request, response) => response.end());
  server.listen(0, "127.0.0.1", () => {
    server.headersTimeout /= 20;
    const started = performance.now();
    const socket = connect(server.address().port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\\r\\nHost: a\\r\\nX-"));
    let said = "";
    socket.on("data", (data) => (said += data)).on("close", () => {
      console.log(JSON.stringify({ status: said.split(" ")[1], ms: performance.now() - started, limit: server.headersTimeout, body: server.requestTimeout }));
      server.close();
    });
  });`;

test("a client that does not finish its headers is answered 408 soon after the limit; a body has 30 s", async () => {
  const args = ["--import", "./bin/input-limits.mjs", "--input-type=commonjs", "--eval", SLOW_CLIENT];
  const { stdout } = await run(process.execPath, args);
  const seen = JSON.parse(stdout) as { status: string; ms: number; limit: number; body: number };
  expect(seen).toMatchObject({ status: "408", limit: 500, body: 30_000 });
  expect(seen.ms).toBeLessThan(5_000);
});
