import type { Json } from "@/lib/access/model/configuration";
import { AppError } from "@/lib/errors";
import type { OutboundAnswer } from "@/lib/outbound/fetch";
import type { RunResult } from "@/lib/calls/pipeline/contract";
import { parseJson, requireFewValues, sequenceReader } from "@/lib/calls/runners/sequence";
import { MAX_SEARCHED, withoutTraces, withoutTracesIn } from "@/lib/calls/pipeline/stack-traces";

/** Statuses after which the same call may succeed (RFC 9110, 15; RFC 8470; RFC 6585). */
const WORTH_RETRYING: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);
/** The most characters of an upstream's error message that an agent receives. */
const MAX_COMPLAINT = 2048;

/** The parts of a tool's answer. */
type Answer = Pick<RunResult, "success" | "output" | "error">;

/**
 * An upstream's answer as a tool's result: JSON parsed, a sequence as the list of its items, text as text, nothing as `null`. Statuses from
 * 300 on are failures with a bounded part of the upstream's message.
 */
export function toRunAnswer(answer: OutboundAnswer): Answer {
  if (answer.status >= 200 && answer.status < 300) {
    try {
      return { success: true, output: readOutput(answer) };
    } catch (error) {
      if (error instanceof AppError) return { success: false, error: { code: error.code, message: error.message } };
      throw error;
    }
  }
  const details = { status: answer.status, ...complaint(answer) };
  if (answer.status === 401)
    return {
      success: false,
      error: {
        code: "upstream_auth_failed",
        message: "The upstream refused the credentials of the source (401).",
        details,
      },
    };
  const message =
    answer.status < 400
      ? `The upstream answered with a redirect (${answer.status}), which is not followed.`
      : `The upstream answered with status ${answer.status}.`;
  return {
    success: false,
    error: { code: "upstream_error", message, retryable: WORTH_RETRYING.has(answer.status), details },
  };
}

function readOutput(answer: OutboundAnswer): Json {
  if (answer.body.byteLength === 0) return null;
  const type = mediaTypeOf(answer.headers);
  const items = sequenceReader(type);
  if (items !== null || isJson(type)) {
    const text = requireText(answer.body);
    if (items !== null) return [...items.push(text), ...items.end()];
    requireFewValues(text, false);
    return parseJson(text);
  }
  if (type === "" || type.startsWith("text/") || /[/+](?:xml|yaml|x-yaml|csv)$/.test(type))
    return requireText(answer.body);
  throw new AppError("upstream_error", `The upstream answered with ${type}, which cannot be passed to an agent.`);
}

function complaint({ headers, body }: OutboundAnswer): { body?: Json } {
  if (body.byteLength === 0) return {};
  // Traces are masked before the text is cut: a cut document does not show which of its parts are one.
  if (isJson(mediaTypeOf(headers)) && body.byteLength <= MAX_SEARCHED)
    try {
      const document = withoutTracesIn(parseJson(requireText(body)));
      const shown = JSON.stringify(document);
      return { body: shown.length <= MAX_COMPLAINT ? document : shown.slice(0, MAX_COMPLAINT) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  const text = new TextDecoder().decode(body);
  return isReadable(text.slice(0, MAX_COMPLAINT * 4)) ? { body: withoutTraces(text).slice(0, MAX_COMPLAINT) } : {};
}

/** The media type of an answer without its parameters, in lower case; `""` when there is none. */
export function mediaTypeOf(headers: OutboundAnswer["headers"]): string {
  return (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function isJson(type: string): boolean {
  return type === "application/json" || type.endsWith("+json");
}

function requireText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new AppError("upstream_error", "The upstream's answer is not UTF-8 text.", { cause });
  }
}

/** Binary data with a text media type is not shown. */
function isReadable(text: string): boolean {
  return !text.includes("\0") && !text.includes("\ufffd");
}
