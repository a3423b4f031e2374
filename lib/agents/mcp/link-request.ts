import { setTimeout as delay } from "node:timers/promises";
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { toMeta } from "@/lib/agents/mcp/content";
import type { Caller } from "@/lib/auth/agents/caller";
import type { Answer } from "@/lib/calls/pipeline/answer";
import { findCallersLink } from "@/lib/calls/linked-accounts/linked-token";

// A call that needs a linked account asks a client of 2026-07-28 to open the connect page (URL elicitation).

/** The name of our request to the client, and of its response. */
const REQUEST = "linked_account";

/** What the person did with the request to open the connect page; `null` = this is the first call. */
export type LinkResponse = "accept" | "other" | null;

/** Reads the client's response to our request. Only `accept` makes the server wait for the account. */
export function linkResponseOf({ mcpReq: { inputResponses } }: ServerContext): LinkResponse {
  if (inputResponses === undefined || !Object.hasOwn(inputResponses, REQUEST)) return null;
  const parsed = z.looseObject({ action: z.literal("accept") }).safeParse(inputResponses[REQUEST]);
  return parsed.success ? "accept" : "other";
}

const supportsUrlElicitation = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({
      [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({ url: z.looseObject({}) }) }),
    }),
  }),
});

/** `scope` = the person has linked an account, but it lacks this scope. */
const linkDetails = z.object({ source: z.string(), connect_url: z.url(), scope: z.string().exactOptional() });

/** The account that a refused call needs; `null` = the call was refused for another reason, or has no person. */
function neededLink({ code, output }: Answer): z.output<typeof linkDetails> | null {
  return code === "authorization_needed" ? (linkDetails.safeParse(output.error?.details).data ?? null) : null;
}

/** Asks the client to open the connect page; `null` = the client does not support this, so return the refusal. */
export function toLinkRequest(answer: Answer, body: unknown): InputRequiredResult | null {
  const link = neededLink(answer);
  if (link === null || !supportsUrlElicitation.safeParse(body).success) return null;
  const message = answer.output.error?.message ?? "Link your account.";
  const request = inputRequired.elicitUrl({ message, url: link.connect_url });
  return { ...inputRequired({ inputRequests: { [REQUEST]: request } }), _meta: toMeta(answer.output) };
}

/** Milliseconds between two checks for the account. */
const POLL_MS = 1_000;

/**
 * Waits until the person has linked the account that a refused call needs. A client repeats the call as soon as the
 * page is open, before the person is done.
 *
 * @returns whether the account exists now; false after `timeoutMs`, or when the client disconnected
 */
export async function awaitLink(
  answer: Answer,
  caller: Caller,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const link = neededLink(answer);
  if (link === null) return false;
  for (let waitedMs = 0; waitedMs < timeoutMs && !signal.aborted; waitedMs += POLL_MS) {
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
    const account = await findCallersLink(caller, link.source);
    // A new sign-in replaces the account that lacks a scope.
    if (typeof account !== "string" && (link.scope === undefined || account.wantedScope === null)) return true;
  }
  return false;
}
