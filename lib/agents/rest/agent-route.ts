import { agent } from "@/lib/auth/agents/agent";
import { contractRoutes } from "@/lib/http/contract-route";

/** Builds a route for agents: the caller has an API key or a token of a configured issuer. */
export const agentRoute = contractRoutes((_who: "agent") => agent());
