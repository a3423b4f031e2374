import { createServer } from "node:http";
import { getPriority } from "node:os";

// A program for the supervisor's tests: answers with its messages over HTTP, and crashes on request.

const port = Number(process.argv[2]);
/** @type {unknown} */
let lastMessage = null;
process.on("message", (message) => (lastMessage = message));
createServer((request, response) => {
  if (request.url === "/crash") process.exit(7);
  const { GATEWAY_SECRET: secret } = process.env;
  if (secret !== undefined && request.headers["x-gateway-secret"] !== secret) return void response.writeHead(403).end();
  response.end(JSON.stringify({ pid: process.pid, lastMessage, nice: getPriority(), hasSecret: secret !== undefined }));
}).listen(port, "127.0.0.1");
