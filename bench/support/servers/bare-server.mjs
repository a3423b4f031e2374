import { readFileSync } from "node:fs";
import { createServer } from "node:http";

// The least work that a Node server can do: answers with the file that BENCH_ANSWER names, and reads only If-None-Match
// of a request. Sends its port when it listens.

/** @type {{ text: string, headers: Record<string, string> }} */
const { text, headers } = JSON.parse(readFileSync(process.env.BENCH_ANSWER ?? "", "utf8"));
const body = Buffer.from(text);

const server = createServer((request, response) => {
  const known = request.headers["if-none-match"];
  if (known !== undefined && known === headers["etag"]) response.writeHead(304, headers).end();
  else response.writeHead(200, { ...headers, "content-length": body.byteLength }).end(body);
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));
process.once("disconnect", () => process.exit(0));
