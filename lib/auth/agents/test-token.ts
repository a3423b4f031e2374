import { claimedCapabilities } from "@/lib/access/model/request";
import { redact } from "@/lib/audit/record/redact";
import { byToken, type AgentSources } from "@/lib/auth/agents/authenticate";
import { parseBearer } from "@/lib/auth/agents/bearer";
import type { Caller, Registry } from "@/lib/auth/agents/caller";
import { ownIssuer } from "@/lib/auth/agents/own-issuer";
import type { CheckReporter } from "@/lib/auth/agents/check-reporter";
import { refuseCredential } from "@/lib/auth/agents/refusal";
import { AppError } from "@/lib/errors";
import { TOKEN_CHECKS, type TokenCheck, type TokenTestOutput } from "@/lib/contracts/people/token-test";

/**
 * Tests how agent authentication would treat a token now, check by check, with the same code. Neither stores nor logs the
 * token.
 *
 * @param text the token, with or without `Bearer `
 * @param redacted `settings.redact`
 * @throws AppError `config_unavailable`
 */
export async function testToken(
  text: string,
  registry: Registry,
  sources: Pick<AgentSources, "keys" | "now" | "newestRegistry">,
  redacted: readonly string[],
): Promise<TokenTestOutput> {
  const found = new Map<TokenCheck, string>();
  let last: TokenCheck = "form";
  const report: CheckReporter = (check, words) => {
    found.set(check, words());
    last = check;
  };
  const answer = await authenticateToken(text, registry, sources, report);
  const refused = answer instanceof AppError ? whyOf(answer) : null;
  const caller = answer instanceof AppError ? null : answer;
  const checks = TOKEN_CHECKS.map((check) => {
    const says = found.get(check) ?? "";
    if (refused !== null && check === last)
      return { check, verdict: "failed" as const, says: `${refused} ${says}`.trim() };
    return { check, verdict: found.has(check) ? ("passed" as const) : ("skipped" as const), says };
  });
  return {
    accepted: caller !== null,
    issuer: caller?.issuer?.name ?? null,
    checks,
    claims: caller === null ? null : (redact(caller.claims, redacted) as TokenTestOutput["claims"]),
    expiresAt: caller?.credential.kind === "jwt" ? new Date(caller.credential.expiresAt).toISOString() : null,
    connection: caller === null ? null : connectionOf(caller, registry),
    agent: caller?.agent?.name ?? null,
    capabilities: caller === null ? [] : [...claimedCapabilities(caller)],
  };
}

/** The connection of a token of ours, with the person as the configuration has them now. */
function connectionOf({ issuer, claims }: Caller, registry: Registry): TokenTestOutput["connection"] {
  if (issuer === null || issuer !== ownIssuer(registry)) return null;
  const connection = registry.signIn?.connections.get(String(claims["grant"]));
  const person = registry.signIn?.people.get(connection?.person ?? "");
  if (connection === undefined || person === undefined) return null;
  const { id, client, clientName, agent, scopes } = connection;
  const { name, role, groups } = person;
  return { id, person: name, role, groups: [...groups], client, clientName, agent, scopes: [...scopes] };
}

/** Authenticates and returns the caller, or the refusal as a value. */
async function authenticateToken(
  text: string,
  registry: Registry,
  sources: Pick<AgentSources, "keys" | "now" | "newestRegistry">,
  report: CheckReporter,
): Promise<Caller | AppError> {
  try {
    const bearer = parseBearer(`Bearer ${text.replace(/^bearer\s+/i, "")}`);
    if (/^qmp?_/.test(bearer))
      throw refuseCredential("This is a credential of Quartermaster: only tokens of an issuer can be tested here.");
    return await byToken(bearer, registry, sources, report);
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthenticated") return error;
    throw error;
  }
}

/** The refusal's message with its cause, which an agent's answer omits. */
function whyOf(refusal: AppError): string {
  return refusal.cause instanceof Error ? `${refusal.message} Cause: ${refusal.cause.message}.` : refusal.message;
}
