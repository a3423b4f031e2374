import { SERVER_INFO_META_KEY, type RequestId } from "@modelcontextprotocol/server";
import { z } from "zod";
import { CALL_META } from "@/lib/agents/mcp/content";
import { metadataPointer } from "@/lib/agents/mcp/metadata";
import { SERVER_INFO } from "@/lib/agents/mcp/server";
import { scopeChallenge } from "@/lib/agents/scope-challenge";
import { Reply } from "@/lib/http/reply";

/** The result of a call in any protocol version. */
interface Result {
  readonly _meta?: object | undefined;
}

/** The answer to a `tools/call` as one JSON body, and whether it refuses the token for its scopes. */
export interface CallAnswer {
  /** The JSON-RPC message. */
  readonly text: string;
  /** The scopes that the caller's token has and those that it lacks; `null` = not refused for scopes. */
  readonly scopes: readonly string[] | null;
}

const refusedForScope = z.object({
  [CALL_META]: z.object({
    error: z.object({
      code: z.literal("insufficient_scope"),
      details: z.object({ present: z.array(z.string()), missing: z.array(z.string()) }),
    }),
  }),
});

/** Turns a result into the answer to one request. @param isStateless whether the client uses 2026-07-28 */
export function toCallAnswer(id: RequestId, result: Result, isStateless: boolean): CallAnswer {
  const text = JSON.stringify({ jsonrpc: "2.0", id, result: isStateless ? toStateless(result) : result });
  return { text, scopes: scopesOf(result) };
}

function scopesOf({ _meta }: Result): readonly string[] | null {
  const details = refusedForScope.safeParse(_meta).data?.[CALL_META].error.details;
  return details === undefined ? null : [...details.present, ...details.missing];
}

/** The HTTP answer: 403 with a challenge when the token lacks scopes (MCP 2025-11-25, Authorization, Scope Challenge Handling). */
export async function toCallReply({ text, scopes }: CallAnswer): Promise<Reply> {
  const json = { "content-type": "application/json" };
  if (scopes === null) return new Reply(text, 200, json);
  return new Reply(text, 403, { ...json, "www-authenticate": scopeChallenge(scopes) + (await metadataPointer()) });
}

/**
 * Watches a call that runs inside the MCP library. The library answers every result with 200, but a refusal because of
 * scopes must be a 403.
 */
export function scopeRefusal(isStateless: boolean): {
  /** The answer of a call that is refused because of scopes; `null` when the call is authorized or ends otherwise. */
  readonly refusal: Promise<CallAnswer | null>;
  readonly onAuthorized: () => void;
  readonly onResult: <T extends Result>(id: RequestId, result: T) => T;
} {
  let settle = (_refusal: CallAnswer | null) => {};
  const refusal = new Promise<CallAnswer | null>((resolve) => (settle = resolve));
  const onResult = <T extends Result>(id: RequestId, result: T): T => {
    settle(scopesOf(result) === null ? null : toCallAnswer(id, result, isStateless));
    return result;
  };
  return { refusal, onAuthorized: () => settle(null), onResult };
}

/** A result in the form of 2026-07-28, with its type and the server's name. */
function toStateless({ _meta, ...rest }: Result): object {
  return { resultType: "complete", ...rest, _meta: { ..._meta, [SERVER_INFO_META_KEY]: SERVER_INFO } };
}
