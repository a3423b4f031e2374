import { setImmediate } from "node:timers/promises";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
} from "@modelcontextprotocol/client";
import type { EventSourceMessage } from "eventsource-parser";
import { eventParser } from "@/lib/calls/runners/event-parser";
import { mediaTypeOf } from "@/lib/calls/runners/http-answer";
import { AppError } from "@/lib/errors";
import { excessOfAnswer } from "@/lib/http/json-bounds";
import type { StreamedAnswer } from "@/lib/outbound/stream";
import { stage, STAGE_MS, turn } from "@/lib/process/turn";

/** What the answer to a request contained, besides its messages. */
export interface Delivered {
  /** Whether it contained the response to the request. */
  readonly isAnswered: boolean;
  /** The id of the last event with one, from which a server can resume; `null` = no event had an id. */
  readonly lastEventId: string | null;
  /** Milliseconds that the server asks the client to wait before it resumes. */
  readonly retryMs: number | null;
}

/** Parses a message; `null` = the text is not a message. */
type ReadMessage = (text: string) => Promise<JSONRPCMessage | null>;

interface Receiver {
  readonly id: RequestId;
  readonly onMessage: (message: JSONRPCMessage) => void;
}

/**
 * Passes each message of an answer to the receiver when it arrives, in an event or as the whole JSON body; `null` for other
 * content types. Replaces the library's reader, whose three web streams cost more than the rest of a call. Ignores texts that
 * are not messages, as the library does.
 *
 * @throws AppError as the body does, but not when the body breaks off: the caller may resume it
 */
export function deliverMessages(
  answer: StreamedAnswer,
  receiver: Receiver,
  read: ReadMessage = toMessage,
): Promise<Delivered> | null {
  if (isEventStream(answer.headers)) return deliverEvents(answer, receiver, read);
  return mediaTypeOf(answer.headers) === "application/json" ? deliverWhole(answer, receiver, read) : null;
}

/** Whether an answer is a stream of events. */
export function isEventStream(headers: StreamedAnswer["headers"]): boolean {
  return mediaTypeOf(headers) === "text/event-stream";
}

async function deliverEvents(
  answer: StreamedAnswer,
  { id: awaited, onMessage }: Receiver,
  read: ReadMessage,
): Promise<Delivered> {
  let isAnswered = false;
  let lastEventId: string | null = null;
  let retryMs: number | null = null;
  await readUntilBreak(async () => {
    for await (const { id, event = "message", data } of eventsOf(answer, (milliseconds) => (retryMs = milliseconds))) {
      lastEventId = id ?? lastEventId;
      const message = data === "" || event !== "message" ? null : await read(data);
      if (message === null) continue;
      onMessage(message);
      isAnswered ||= isResponseTo(awaited, message);
      // The library reports progress one turn later, and reports none once it has the answer.
      if (!isResponse(message)) await setImmediate();
    }
  });
  return { isAnswered, lastEventId, retryMs };
}

/**
 * The events of a body as they arrive. Other work gets its turns, however many events, or lines that make none, a server
 * sends at once.
 */
async function* eventsOf(
  { body }: StreamedAnswer,
  onRetry: (milliseconds: number) => void,
): AsyncGenerator<EventSourceMessage, void> {
  let complete: EventSourceMessage[] = [];
  const feed = eventParser({ onEvent: (event) => void complete.push(event), onRetry });
  const decoder = new TextDecoder();
  let spentMs = 0;
  const spend = async (since: number) => {
    spentMs += performance.now() - since;
    if (spentMs <= STAGE_MS) return;
    await turn();
    spentMs = 0;
  };
  for await (const piece of body) {
    const arrived = performance.now();
    feed(decoder.decode(piece, { stream: true }));
    await spend(arrived);
    const events = complete;
    complete = [];
    for (const event of events) {
      const since = performance.now();
      yield event;
      await spend(since);
    }
  }
}

/**
 * An event stream for the library's reader, which lines without meaning and large events would hold up: whole events with a
 * message or an id, of at most `most` characters.
 *
 * @throws AppError `result_too_large`, and as the body does
 */
export async function* checkedEvents(answer: StreamedAnswer, most: number): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  let retry = "";
  for await (const { id, event = "message", data } of eventsOf(answer, (ms) => (retry = `retry: ${ms}\n`))) {
    const message = event === "message" ? data : "";
    if (message === "" && id === undefined) continue;
    requireBounded(message, most);
    const lines = message.replaceAll("\n", "\ndata: ");
    yield encoder.encode(`${retry}${id === undefined ? "" : `id: ${id}\n`}data: ${lines}\n\n`);
    retry = "";
  }
  if (retry !== "") yield encoder.encode(`${retry}\n`);
}

/**
 * The whole text of an answer that the library parses, of at most `most` characters. Of a failure, a longer text is left out.
 *
 * @throws AppError `result_too_large`, and as the body does
 */
export async function checkedText({ status, body }: StreamedAnswer, most: number): Promise<string> {
  try {
    const text = await wholeText(body);
    requireBounded(text, most);
    return text;
  } catch (error) {
    // The status says more than a text that nobody can read.
    if (status >= 300) return "";
    throw error;
  }
}

async function deliverWhole(
  { body }: StreamedAnswer,
  { id, onMessage }: Receiver,
  read: ReadMessage,
): Promise<Delivered> {
  const message = await read(await wholeText(body));
  if (message !== null) onMessage(message);
  return { isAnswered: message !== null && isResponseTo(id, message), lastEventId: null, retryMs: null };
}

async function wholeText(body: StreamedAnswer["body"]): Promise<string> {
  const pieces: Uint8Array[] = [];
  await readUntilBreak(async () => {
    for await (const piece of body) pieces.push(piece);
  });
  return stage(() => Buffer.concat(pieces).toString());
}

async function readUntilBreak(read: () => Promise<void>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "upstream_unreachable") throw error;
  }
}

/** @throws AppError `result_too_large` */
async function toMessage(text: string): Promise<JSONRPCMessage | null> {
  await stage(() => requireBounded(text));
  try {
    const value = await stage((): unknown => JSON.parse(text));
    return await stage(() => parseJSONRPCMessage(value));
  } catch {
    return null;
  }
}

function requireBounded(text: string, most = Number.POSITIVE_INFINITY): void {
  if (text.length > most)
    throw new AppError("result_too_large", `The server's answer is larger than ${Math.floor(most / 1024)} KiB.`);
  const excess = excessOfAnswer(text);
  if (excess !== null)
    throw new AppError("result_too_large", `The server's answer holds more than ${excess.most} values.`);
}

function isResponse(message: JSONRPCMessage): message is JSONRPCResponse {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/** Like the library, accepts an id that a server returns as text. */
function isResponseTo(id: RequestId, message: JSONRPCMessage): boolean {
  return isResponse(message) && Number(message.id) === Number(id);
}
