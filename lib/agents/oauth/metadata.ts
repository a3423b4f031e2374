import type { OuterContext } from "oidc-provider";
import { supportedScopes } from "@/lib/agents/oauth/scopes";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";

/** Completes the metadata: oidc-provider lists its own scopes (OpenID Connect), and registration is a setting. */
export async function completeMetadata(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  if (ctx.oidc?.route !== "discovery") return;
  const snapshot = await currentSnapshot();
  const { registration_endpoint: registration, ...rest } = ctx.body as Record<string, unknown>;
  ctx.body = {
    ...rest,
    ...(snapshot.settings.clientSignIn.registration && { registration_endpoint: registration }),
    scopes_supported: supportedScopes(snapshot),
  };
}
