import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { keyedDigest } from "@/lib/store/keys/cipher";

/** Seconds for which a request state is valid: as long as an answer is stored. */
const TTL_SECONDS = 86_400;

/** The request state that a client sends when it repeats a call that waits for an approval. */
export interface ApprovalState {
  readonly callId: string;
  /** The state is valid only for the same request. */
  readonly bodyDigest: string;
}

/** Signs and reads the request state (MCP 2026-07-28, Multi Round-Trip Requests) of one principal. */
export function approvalStateCodec(principal: Principal): RequestStateCodec<ApprovalState> {
  return createRequestStateCodec<ApprovalState>({
    key: keyedDigest("mcp request state", ""),
    ttlSeconds: TTL_SECONDS,
    bind: () => JSON.stringify(identityParts(principal)),
  });
}

/** Creates a request state. It is bound to its principal, so it needs no server context. */
export function mintApprovalState(principal: Principal, state: ApprovalState): Promise<string> {
  return approvalStateCodec(principal).mint(state, {} as ServerContext);
}
