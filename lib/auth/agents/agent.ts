import { singleton } from "@/lib/process/singleton";
import { authenticateAgent, authenticateBearer, type AgentSources } from "@/lib/auth/agents/authenticate";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import { issuerKeys, type IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { rememberKeys, type VerifyApiKey } from "@/lib/auth/agents/remembered-keys";
import { factsOfRefused, type RefusedCredential } from "@/lib/auth/agents/refusal";
import { clientAddress } from "@/lib/auth/client-address";
import { AppError, type ErrorCode } from "@/lib/errors";
import { outbound } from "@/lib/outbound/fetch";
import { findApiKey, touchLastUsed } from "@/lib/store/config/api-keys";
import { countRefusal } from "@/lib/store/audit/refusals";
import { currentSnapshot, newestSnapshot } from "@/lib/store/snapshot/snapshot";
import { metrics } from "@/lib/telemetry/metrics";

export type { Caller } from "@/lib/auth/agents/caller";

/** Verifies API keys with a cache of this process, valid for the revision that it knows. */
export const processApiKeys = singleton<VerifyApiKey>("ApiKeys", () => rememberKeys(findApiKey));

/** The issuers' keys of this process. One set per process keeps its limits valid. */
export const processKeys = singleton<IssuerKeys>("IssuerKeys", () => issuerKeys(outbound, () => Date.now()));

/** The live configuration and the caches of this process. */
function processSources(): AgentSources {
  return {
    registry: () => currentSnapshot(),
    newestRegistry: newestSnapshot,
    verifyApiKey: processApiKeys(),
    keys: processKeys(),
    now: () => Date.now(),
  };
}

/** The `authenticate` of a route for agents. */
interface Authenticated {
  (request: Request): Promise<Caller>;
  readonly onRefused: typeof onRefused;
}

/**
 * Authenticates the caller of an agent route with the live configuration (docs/reference/http.md#authentication).
 *
 * @throws AppError `unauthenticated`, `config_unavailable`
 */
export function agent(): Authenticated {
  const authenticate = authenticateAgent(processSources());
  const known = async (request: Request) => {
    const caller = await authenticate(request).catch((error: unknown) => counted(error, request));
    if (caller.credential.kind === "api_key") touchLastUsed(caller.credential.keyId);
    return caller;
  };
  return Object.assign(known, { onRefused });
}

/**
 * Verifies a caller's credential again, under another registry than the one that accepted it.
 *
 * @throws AppError `unauthenticated`, `config_unavailable`
 */
export function authenticateAgain({ bearer }: Caller, registry: Registry): Promise<Caller> {
  return authenticateBearer(bearer, registry, processSources());
}

/** Counts a caller without a valid credential for the audit trail. For a disabled agent, the log has the count too. */
function counted(error: unknown, request: Request): never {
  if (error instanceof AppError && error.code === "unauthenticated") {
    metrics().refusals.of({ reason: error.code }).add();
    const facts = factsOfRefused(error);
    if (facts !== undefined) countCredential(facts, error.message, clientAddress(request.headers));
  }
  throw error;
}

function countCredential({ owner, disabled }: RefusedCredential, message: string, address: string): void {
  const by = owner === null ? ({ kind: "address", name: address } as const) : ({ kind: "agent", name: owner } as const);
  // Text after a colon describes a part of the token, except of a disabled agent: there it is an admin's reason.
  const reason = disabled === undefined ? (message.split(": ")[0] ?? message) : message;
  countRefusal({ action: "refused.credential", reason, by, address, ...(disabled !== undefined && { disabled }) });
}

/** Codes of requests that fail before a call begins, so that they have no row in the log. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set(["invalid_request", "payload_too_large", "unsupported_media_type"]);

/** Counts an authenticated agent's request that could not be parsed. */
export function onRefused({ agent: row, principal }: Caller, error: AppError, request: Request): void {
  if (!UNREADABLE.has(error.code)) return;
  const by = { kind: "agent", name: row?.name ?? principal.subject } as const;
  countRefusal({ action: "refused.body", reason: error.message, by, address: clientAddress(request.headers) });
}
