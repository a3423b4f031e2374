import { authenticateAgent } from "@/lib/auth/agents/authenticate";
import type { Registry } from "@/lib/auth/agents/caller";
import { issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { rememberKeys } from "@/lib/auth/agents/remembered-keys";
import { outboundClient } from "@/lib/outbound/fetch";
import { issuerRow, type IssuerRow } from "@/lib/resources/issuer";
import { startIssuer, type TestIssuer } from "@/test/support/servers/issuer";

/** Authenticates tokens of one issuer as the agents' endpoints do, without a database, by a clock that a test moves. */
export interface AgentEndpoint {
  readonly issuer: TestIssuer;
  /** Epoch milliseconds. */
  now: number;
  /** The issuer's row under `corp`, no agents, nothing revoked; a test replaces it. */
  registry: Registry;
  /** The issuer's row, with changes. */
  rowOf(changes?: Partial<IssuerRow>): IssuerRow;
  /** The subject of an accepted token; `null` when it is refused. */
  subjectOf(token: string): Promise<string | null>;
}

/** Starts an issuer and an endpoint that accepts its tokens. */
export async function openAgentEndpoint(): Promise<AgentEndpoint> {
  const issuer = await startIssuer();
  const rowOf: AgentEndpoint["rowOf"] = (changes = {}) =>
    issuerRow.parse({
      name: "corp",
      issuer: issuer.issuer,
      audience: "quartermaster",
      jwksUri: issuer.jwksUri,
      revision: 1,
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
      ...changes,
    });
  const authenticate = authenticateAgent({
    registry: async () => endpoint.registry,
    verifyApiKey: rememberKeys(async () => null),
    keys: issuerKeys(outboundClient({ allow: () => [issuer.host] }), () => endpoint.now),
    now: () => endpoint.now,
  });
  const endpoint: AgentEndpoint = {
    issuer,
    now: 1_800_000_000_000,
    registry: { revision: 1, issuers: new Map([["corp", rowOf()]]), agents: new Map(), revocations: new Map() },
    rowOf,
    subjectOf: async (token) => {
      const request = new Request("http://localhost/", { headers: { authorization: `Bearer ${token}` } });
      return authenticate(request).then(
        ({ principal }) => principal.subject,
        () => null,
      );
    },
  };
  return endpoint;
}
