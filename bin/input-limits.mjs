import http from "node:http";
import { syncBuiltinESMExports } from "node:module";

// Imported before Next starts, which leaves Node's generous defaults: a client that sends one byte a minute would
// keep its connection for five. Headers must be there within 10 s, the body within 30 s (6-promises, Limits on input);
// Node answers 408 and closes.

/** In milliseconds. */
const INPUT_LIMITS = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 };

const { createServer } = http;

/** @param {http.ServerOptions | http.RequestListener} [options] @param {http.RequestListener} [listener] */
http.createServer = (options = {}, listener) =>
  typeof options === "function"
    ? createServer(INPUT_LIMITS, options)
    : createServer({ ...INPUT_LIMITS, ...options }, listener);
syncBuiltinESMExports();
