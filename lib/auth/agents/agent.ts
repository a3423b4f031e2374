import { authenticateAgent } from "@/lib/auth/agents/authenticate";
import type { Caller } from "@/lib/auth/agents/caller";
import { issuerKeys, type IssuerKeys } from "@/lib/auth/agents/issuer-keys";
import { rememberKeys, type VerifyApiKey } from "@/lib/auth/agents/remembered-keys";
import { AppError } from "@/lib/errors";
import { outbound } from "@/lib/outbound/fetch";
import { findApiKey, touchLastUsed } from "@/lib/store/api-keys";
import { currentSnapshot } from "@/lib/store/snapshot";
import { metrics } from "@/lib/telemetry/metrics";

export type { Caller } from "@/lib/auth/agents/caller";

/** Next bundles each route on its own: the fetched keys are one set per process, so that their limits hold. */
const kept = globalThis as typeof globalThis & {
  quartermasterIssuerKeys?: IssuerKeys;
  quartermasterApiKeys?: VerifyApiKey;
};

/** Verifies by the API keys that this process has read, of the revision that it knows. */
export function processApiKeys(): VerifyApiKey {
  return (kept.quartermasterApiKeys ??= rememberKeys(findApiKey));
}

/** The issuers' keys of this process. */
export function processKeys(): IssuerKeys {
  return (kept.quartermasterIssuerKeys ??= issuerKeys(outbound, () => Date.now()));
}

/**
 * Who is calling an agent route, on the live configuration (3-http, Who is calling).
 *
 * @throws AppError `unauthenticated`, `config_unavailable`
 */
export function agent(): (request: Request) => Promise<Caller> {
  const authenticate = authenticateAgent({
    registry: () => currentSnapshot(),
    verifyApiKey: processApiKeys(),
    keys: processKeys(),
    now: Date.now,
  });
  return async (request) => {
    const caller = await authenticate(request).catch(counted);
    if (caller.credential.kind === "api_key") touchLastUsed(caller.credential.keyId);
    return caller;
  };
}

/** Who cannot say who it is has no row in the log: it is counted (4-execution, Pipeline). */
function counted(error: unknown): never {
  if (error instanceof AppError && error.code === "unauthenticated") metrics().denied.of({ reason: error.code }).add();
  throw error;
}
