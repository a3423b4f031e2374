import { OWN_ISSUER } from "@/lib/access/model/claims";

/** The identity that a caller's credential states. */
export interface LoggedIdentity {
  readonly agent: string | null;
  readonly issuer: string;
  readonly subject: string;
  /** The OAuth client that the token names. */
  readonly client?: string | null;
}

/** How a caller identified itself: `API key`, or `token of https://corp.example, subject u-1`. */
export function credentialInWords({ agent, issuer, subject, client = null }: LoggedIdentity): string {
  // Only a person's trial as a persona has this issuer and no agent.
  if (issuer === OWN_ISSUER) return agent === null ? "trial as a persona" : "API key";
  const named = agent === null || agent === subject ? "" : `, subject ${subject}`;
  return `token of ${issuer}${named}${client === null ? "" : `, client ${client}`}`;
}

/** The agent that made an access request; `null` for a token that names no registered agent. `asker`: its name in the request. */
export function agentOfRequest({ issuer, subject }: Omit<LoggedIdentity, "agent">, asker: string): string | null {
  return issuer === OWN_ISSUER || asker !== subject ? asker : null;
}
