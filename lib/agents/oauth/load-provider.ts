/**
 * Loads the part of the authorization server that stands on oidc-provider. Loading takes a quarter of the processor time
 * that all packages of a gateway take, so a start does not wait for it.
 */
export async function loadProvider() {
  const [{ createProvider }, { runnerOf }] = await Promise.all([
    import("@/lib/agents/oauth/provider"),
    import("@/lib/agents/oauth/run-provider"),
  ]);
  return { createProvider, runnerOf };
}
