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

/** Reads the client's response to our request. Any other response than `accept` ends the rounds. */
export function linkResponseOf({ mcpReq: { inputResponses } }: ServerContext): LinkResponse {
  if (inputResponses === undefined || !Object.hasOwn(inputResponses, REQUEST)) return null;
  const parsed = z.looseObject({ action: z.literal("accept") }).safeParse(inputResponses[REQUEST]);
  return parsed.success ? "accept" : "other";
}

const declaring = z.looseObject({
  params: z.looseObject({
    _meta: z.looseObject({
      [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({ url: z.looseObject({}) }) }),
    }),
  }),
});

/** `scope`: the person has linked an account that lacks it. */
const needed = z.object({ source: z.string(), connect_url: z.url(), scope: z.string().exactOptional() });

/** Where the person behind a refused call can link an account; `null` = the call was not refused for that, or has no person. */
function neededLink({ code, output }: Answer): z.output<typeof needed> | null {
  return code === "authorization_needed" ? (needed.safeParse(output.error?.details).data ?? null) : null;
}

/** The request to open the connect page, for a client that declares that it opens addresses; `null` = answer the refusal. */
export function toLinkRequest(answer: Answer, body: unknown): InputRequiredResult | null {
  const link = neededLink(answer);
  if (link === null || !declaring.safeParse(body).success) return null;
  const message = answer.output.error?.message ?? "Link your account.";
  const request = inputRequired.elicitUrl({ message, url: link.connect_url });
  return { ...inputRequired({ inputRequests: { [REQUEST]: request } }), _meta: toMeta(answer.output) };
}

/** Milliseconds between two looks for the account. */
const POLL_MS = 1_000;

/**
 * Waits until the person has linked the account that a refused call needs. A client repeats the call when the page is open,
 * not when the person is done.
 *
 * @returns whether the account exists now; false after `mostMs`, or when the client left
 */
export async function awaitLink(answer: Answer, caller: Caller, mostMs: number, signal: AbortSignal): Promise<boolean> {
  const link = neededLink(answer);
  if (link === null) return false;
  for (let waited = 0; waited < mostMs && !signal.aborted; waited += POLL_MS) {
    await delay(POLL_MS, undefined, { signal }).catch(() => {});
    const account = await findCallersLink(caller, link.source);
    // A new sign-in replaces the account that lacks a scope.
    if (typeof account !== "string" && (link.scope === undefined || account.wantedScope === null)) return true;
  }
  return false;
}
