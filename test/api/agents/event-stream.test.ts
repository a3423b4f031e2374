import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { eventStream, type EventSink } from "@/lib/http/event-stream";

// Real sockets: what a reader that does not read makes of a stream is a matter of what waits where.

const KIB = 1024;
const MIB = 1024 * KIB;
let run: (sink: EventSink) => Promise<void>;
let closed: Promise<unknown>;
const server = createServer((_request, response) => {
  closed = once(response, "close");
  void serve(response);
});

async function serve(response: ServerResponse): Promise<void> {
  const { body, headers } = eventStream(run);
  response.writeHead(200, [...headers].flat());
  // An aborted stream takes its connection with it.
  await pipeline(Readable.fromWeb(body as ReadableStream<Uint8Array>), response).catch(() => {});
}

beforeEach(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A client that has sent its request, and reads nothing until its socket resumes. */
async function reader(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write("GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
  return socket;
}

/** Everything that comes until the connection ends. */
async function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.resume();
  await once(socket, "close");
  return Buffer.concat(parts).toString();
}

describe("a reader that does not read", () => {
  it("is disconnected when it is 1 MiB behind, and nothing more is buffered for it", async () => {
    let sent = 0;
    const left = new Promise<void>((resolve) => {
      run = async (sink) => {
        while (!sink.closed.aborted && sent < 200) {
          sink.send("chunk", "x".repeat(MIB / 4));
          sent += 1;
          await turn();
        }
        resolve();
      };
    });
    const socket = await reader();
    await left;
    // The sockets of the system hold the rest.
    expect(sent).toBeGreaterThan(4);
    expect(sent).toBeLessThan(100);
    await closed;
    expect(await readAll(socket)).not.toContain("event: result");
  });

  it("receives no replaceable events while it is behind, and stays connected", async () => {
    let isLeft: boolean | undefined;
    const flooded = new Promise<void>((resolve) => {
      run = async (sink) => {
        for (let step = 0; step < 100_000; step += 1) {
          sink.sendReplaceable("progress", { fraction: step / 100_000, message: "x".repeat(200) });
          if (step % 100 === 0) await turn();
        }
        isLeft = sink.closed.aborted;
        sink.send("result", "done");
        resolve();
      };
    });
    const socket = await reader();
    await flooded;
    const text = await readAll(socket);
    expect(isLeft).toBe(false);
    expect(text).toContain('event: result\ndata: "done"');
    expect(text.length).toBeLessThan(20 * MIB);
  });
});

it("a reader that keeps up receives a whole burst, with a result of 1 MiB at its end", async () => {
  run = async ({ send }) => {
    for (let part = 0; part < 16; part += 1) send("chunk", "x".repeat(64 * KIB - 64));
    send("result", "y".repeat(MIB));
  };
  const text = await readAll(await reader());
  expect(text.match(/event: chunk/g)).toHaveLength(16);
  expect(text).toContain("event: result");
});

it("headers arrive before any event, and `end` sends one last event", async () => {
  let end: EventSink["end"] = () => {};
  let left: AbortSignal | undefined;
  run = (sink) => {
    ({ end, closed: left } = sink);
    return new Promise(() => {});
  };
  const socket = await reader();
  socket.resume();
  const [first] = (await once(socket, "data")) as [Buffer];
  expect(first.toString()).toContain("text/event-stream");
  const rest = readAll(socket);
  end("closed", { code: "unauthenticated" });
  end("closed", { code: "twice" });
  expect(left?.aborted).toBe(true);
  expect(await rest).toContain('event: closed\ndata: {"code":"unauthenticated"}\n\n');
  expect(await rest).not.toContain("twice");
});

it("a stream sends a heartbeat every 30 s until it ends", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  let sink: EventSink | undefined;
  const { body } = eventStream((given) => {
    sink = given;
    return new Promise(() => {});
  });
  const received: string[] = [];
  const ended = body!
    .pipeThrough(new TextDecoderStream())
    .pipeTo(new WritableStream({ write: (text) => void received.push(text) }));
  vi.advanceTimersByTime(29_999);
  sink!.send("first", 1);
  vi.advanceTimersByTime(1);
  sink!.send("second", 2);
  vi.advanceTimersByTime(60_000);
  sink!.end("closed", {});
  vi.advanceTimersByTime(60_000);
  await ended;
  expect(received.join("").match(/(?<=event: )\w+/g)).toEqual([
    "first",
    "heartbeat",
    "second",
    "heartbeat",
    "heartbeat",
    "closed",
  ]);
});

it("a disconnect aborts `closed`", async () => {
  const gone = new Promise<boolean>((resolve) => {
    run = async ({ closed: left }) => {
      await once(left, "abort");
      resolve(left.aborted);
    };
  });
  const socket = await reader();
  socket.resume();
  await once(socket, "data");
  socket.destroy();
  expect(await gone).toBe(true);
});
