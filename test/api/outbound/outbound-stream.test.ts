import { getEventListeners, once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { outboundStreamClient } from "@/lib/outbound/stream";

const ended: (() => void)[] = [];
afterEach(() => ended.splice(0).forEach((end) => end()));

const MEBIBYTE = "x".repeat(1024 * 1024);

/** Answers with these chunks and this type, and reads them through our outbound client. */
async function read(type: string, chunks: readonly string[]): Promise<number> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": type });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  }).listen(0, "127.0.0.1");
  ended.push(() => void server.close());
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = outboundStreamClient({ allow: () => [host] });
  const answer = await send({
    url: `http://${host}/`,
    method: "GET",
    headers: {},
    body: null,
    signal: null,
    totalMs: 10_000,
  });
  let size = 0;
  for await (const piece of answer.body) size += piece.byteLength;
  return size;
}

it.each(["\n", "\r", "\r\n"])(
  "a stream of events may go on; one event may not be larger than 10 MiB (%j)",
  async (eol) => {
    const event = `data: ${MEBIBYTE}${eol}${eol}`;
    expect(
      await read(
        "text/event-stream",
        Array.from({ length: 12 }, () => event),
      ),
    ).toBe(12 * event.length);
    const line = `data: ${MEBIBYTE}${eol}`;
    await expect(
      read(
        "text/event-stream",
        Array.from({ length: 12 }, () => line),
      ),
    ).rejects.toMatchObject({ code: "result_too_large" });
  },
);

it("limits an answer that is no stream to 10 MiB", async () => {
  const event = `${MEBIBYTE}\n\n`;
  expect(await read("application/json", [event])).toBe(event.length);
  await expect(
    read(
      "application/json",
      Array.from({ length: 12 }, () => event),
    ),
  ).rejects.toMatchObject({ code: "result_too_large" });
});

it("requires an answer to begin within 10 s, except a lasting stream", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  ended.push(() => (silent.closeAllConnections(), silent.close()));
  await once(silent, "listening");
  const host = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const send = outboundStreamClient({ allow: () => [host], headersMs: 100 });
  const request = { url: `http://${host}/`, method: "GET", headers: {}, body: null };
  await expect(send({ ...request, signal: null, totalMs: 60_000 })).rejects.toMatchObject({ code: "upstream_timeout" });
  const left = new AbortController();
  const lasting = send({ ...request, signal: left.signal, totalMs: null });
  // Sent after that limit, and ended before its own.
  await expect(send({ ...request, signal: null, totalMs: 60_000 })).rejects.toMatchObject({ code: "upstream_timeout" });
  left.abort(new AppError("cancelled", "It is left."));
  await expect(lasting).rejects.toMatchObject({ code: "cancelled" });
});

it("lets an answer begin as late as its request allows", async () => {
  const late = createServer((_request, response) => void setTimeout(() => response.end("late"), 400));
  late.listen(0, "127.0.0.1");
  ended.push(() => (late.closeAllConnections(), late.close()));
  await once(late, "listening");
  const host = `127.0.0.1:${(late.address() as AddressInfo).port}`;
  const send = outboundStreamClient({ allow: () => [host], headersMs: 100 });
  const request = { url: `http://${host}/`, method: "GET", headers: {}, body: null, signal: null, totalMs: 60_000 };
  const { status, discard } = await send({ ...request, headersMs: 60_000 });
  discard();
  expect(status).toBe(200);
});

it("lets many exchanges share a signal, and leaves no listener on it", async () => {
  const IN_FLIGHT = 20;
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  ended.push(() => process.off("warning", warned));
  const held: ServerResponse[] = [];
  const server = createServer((_request, response) => {
    held.push(response);
    if (held.length === IN_FLIGHT) for (const one of held) one.end("ok");
  }).listen(0, "127.0.0.1");
  ended.push(() => (server.closeAllConnections(), server.close()));
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const send = outboundStreamClient({ allow: () => [host] });
  const { signal } = new AbortController();
  const request = { url: `http://${host}/`, method: "GET", headers: {}, body: null, signal, totalMs: 10_000 };
  const answers = await Promise.all(Array.from({ length: IN_FLIGHT }, () => send(request)));
  expect(getEventListeners(signal, "abort")).toHaveLength(IN_FLIGHT);
  for (const { body } of answers) for await (const piece of body) expect(piece.byteLength).toBe(2);
  expect(getEventListeners(signal, "abort")).toEqual([]);
  expect(warnings).toEqual([]);
});
