import { createRequestStateCodec, type RequestStateCodec, type ServerContext } from "@modelcontextprotocol/server";
import { identityParts, type Principal } from "@/lib/store/calls/sessions";
import { keyedDigest } from "@/lib/store/keys/cipher";

/** Seconds that a client may come back with a request state: as long as an answer is kept. */
const SECONDS = 86_400;

/** What a client brings back when it asks again for a call that waits for a person. */
export interface ApprovalState {
  readonly callId: string;
  /** `bodyDigest` of the call: the state is good for the same request alone. */
  readonly asked: string;
}

/** Signs and reads the request state (MCP 2026-07-28, Multi Round-Trip Requests) of one principal. */
export function approvalState(principal: Principal): RequestStateCodec<ApprovalState> {
  return createRequestStateCodec<ApprovalState>({
    key: keyedDigest("mcp request state", ""),
    ttlSeconds: SECONDS,
    bind: () => JSON.stringify(identityParts(principal)),
  });
}

/** A state as it is brought back; what it is bound to is its principal, which no context has to say. */
export function mintApprovalState(principal: Principal, state: ApprovalState): Promise<string> {
  return approvalState(principal).mint(state, {} as ServerContext);
}
