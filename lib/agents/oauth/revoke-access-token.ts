import type { Context, OuterContext } from "oidc-provider";
import { processKeys } from "@/lib/auth/agents/agent";
import { ownIssuer } from "@/lib/auth/agents/own-issuer";
import { verifyToken } from "@/lib/auth/agents/token";
import { clientAddress } from "@/lib/auth/client-address";
import { SKEW_SECONDS } from "@/lib/auth/agents/token-claims";
import { clientLabel } from "@/lib/contracts/people/client-label";
import { AppError } from "@/lib/errors";
import { recordAuditEvent } from "@/lib/store/audit/audit-events";
import { actorOf, findUser } from "@/lib/store/config/users";
import { revokeToken } from "@/lib/store/keys/revocations";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Milliseconds after its `exp` until which a revocation lasts: longer than a token still works. */
const AFTER_EXPIRY_MS = 2 * SKEW_SECONDS * 1000;

/**
 * Revokes access tokens at the revocation endpoint (RFC 7009). oidc-provider refuses every JWT there, after it has
 * authenticated the client; this middleware then records the token's `iss` and `jti`, which every instance checks.
 */
export async function revokeAccessTokens(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "revocation" || !isUnsupported(ctx.body)) return;
  const inner = ctx as Context;
  const { token = "" } = inner.oidc.params;
  const verified = await verifiedToken(token);
  // A token that is not valid needs no revocation: the answer is the same (RFC 7009, 2.2).
  const isRefused = verified !== null && verified.client !== inner.oidc.client.clientId;
  if (verified !== null && !isRefused) await revoke(inner, verified);
  inner.status = isRefused ? 400 : 200;
  inner.body = isRefused
    ? { error: "invalid_request", error_description: "The token was issued to another client." }
    : "";
}

function isUnsupported(body: unknown): boolean {
  return typeof body === "object" && body !== null && "error" in body && body.error === "unsupported_token_type";
}

/** A token of ours that is valid. */
interface OwnToken {
  readonly iss: string;
  readonly jti: string;
  readonly client: string;
  readonly subject: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

async function verifiedToken(token: string): Promise<OwnToken | null> {
  const registry = await currentSnapshot();
  try {
    const { issuer, jti, subject, expiresAt, claims } = await verifyToken(token, registry, processKeys(), Date.now());
    if (issuer !== ownIssuer(registry) || jti === null) return null;
    return { iss: issuer.issuer, jti, subject, expiresAt, client: String(claims["client_id"]) };
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return null;
    throw error;
  }
}

async function revoke({ oidc, headers }: Context, { iss, jti, subject, expiresAt }: OwnToken): Promise<void> {
  const name = clientLabel({ client: oidc.client.clientId, clientName: oidc.client.clientName ?? "" });
  const address = clientAddress(new Headers(headers));
  const person = await findUser(subject);
  const target = person === null ? subject : actorOf(person).name;
  await revokeToken(
    { kind: "system", name, role: "admin" },
    { iss },
    { jti, until: new Date(expiresAt + AFTER_EXPIRY_MS).toISOString(), reason: "revoked by its client" },
    new Date(),
    {
      onSaved: async (tx, { changes }) => {
        if (changes.length === 0) return;
        const actor = { kind: "client", name, role: "" } as const;
        const detail = `token ${jti}`;
        await recordAuditEvent(
          { actor, action: "connections.token_revoked", target, requestId: null, address, detail },
          tx,
        );
      },
    },
  );
}
