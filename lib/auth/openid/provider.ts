import { issuerKeys } from "@/lib/auth/agents/issuer-keys";
import { openIdDiscovery } from "@/lib/auth/openid/discovery";
import type { OpenIdProvider } from "@/lib/auth/openid/redeem";
import { openIdSettings } from "@/lib/auth/openid/settings";
import { outbound } from "@/lib/outbound/fetch";

const discovery = openIdDiscovery(outbound, Date.now);
const keys = issuerKeys(outbound, Date.now);

/**
 * The OpenID provider with its endpoints; `null` without one.
 *
 * @throws ProviderUnavailable
 */
export async function findOpenIdProvider(): Promise<OpenIdProvider | null> {
  const settings = openIdSettings();
  return settings === null ? null : { settings, keys, fetch: outbound, at: await discovery(settings.issuer) };
}
