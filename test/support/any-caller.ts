/** The caller of a tool that needs nothing of its caller. */
export const ANY_CALLER = {
  credential: { kind: "api_key", keyId: "k" },
  bearer: "qm_k",
  principal: { issuer: "quartermaster", subject: "any", agent: "any", client: null },
} as const;
