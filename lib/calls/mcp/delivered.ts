import { setImmediate } from "node:timers/promises";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  type JSONRPCMessage,
  type JSONRPCResponse,
  type RequestId,
} from "@modelcontextprotocol/client";
import { eventParser } from "@/lib/calls/runners/event-parser";
import { AppError } from "@/lib/errors";
import { excessOfAnswer } from "@/lib/http/json-bounds";
import type { StreamedAnswer } from "@/lib/outbound/stream";
import { stage } from "@/lib/process/turn";

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

/** The receiver of the messages, and the id of the request that they answer. */
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
  const [type] = (answer.headers["content-type"] ?? "").split(";");
  switch (type?.trim().toLowerCase()) {
    case "text/event-stream":
      return deliverEvents(answer, receiver, read);
    case "application/json":
      return deliverWhole(answer, receiver, read);
    default:
      return null;
  }
}

async function deliverEvents(
  { body }: StreamedAnswer,
  { id: awaited, onMessage }: Receiver,
  read: ReadMessage,
): Promise<Delivered> {
  let isAnswered = false;
  let lastEventId: string | null = null;
  let retryMs: number | null = null;
  let texts: string[] = [];
  const feed = eventParser({
    onEvent: ({ id, event = "message", data }) => {
      lastEventId = id ?? lastEventId;
      if (data !== "" && event === "message") texts.push(data);
    },
    onRetry: (milliseconds) => (retryMs = milliseconds),
  });
  const decoder = new TextDecoder();
  await readUntilBreak(async () => {
    for await (const piece of body) {
      feed(decoder.decode(piece, { stream: true }));
      const complete = texts;
      texts = [];
      for (const text of complete) {
        const message = await read(text);
        if (message === null) continue;
        onMessage(message);
        isAnswered ||= isResponseTo(awaited, message);
        // The library reports progress one turn later, and reports none once it has the answer.
        if (!isResponse(message)) await setImmediate();
      }
    }
  });
  return { isAnswered, lastEventId, retryMs };
}

async function deliverWhole(
  { body }: StreamedAnswer,
  { id, onMessage }: Receiver,
  read: ReadMessage,
): Promise<Delivered> {
  const pieces: Uint8Array[] = [];
  await readUntilBreak(async () => {
    for await (const piece of body) pieces.push(piece);
  });
  const text = await stage(() => Buffer.concat(pieces).toString());
  const message = await read(text);
  if (message !== null) onMessage(message);
  return { isAnswered: message !== null && isResponseTo(id, message), lastEventId: null, retryMs: null };
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
  const excess = await stage(() => excessOfAnswer(text));
  if (excess !== null)
    throw new AppError("result_too_large", `The server's answer holds more than ${excess.most} values.`);
  try {
    const value = await stage((): unknown => JSON.parse(text));
    return await stage(() => parseJSONRPCMessage(value));
  } catch {
    return null;
  }
}

function isResponse(message: JSONRPCMessage): message is JSONRPCResponse {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
}

/** Like the library, accepts an id that a server returns as text. */
function isResponseTo(id: RequestId, message: JSONRPCMessage): boolean {
  return isResponse(message) && Number(message.id) === Number(id);
}
