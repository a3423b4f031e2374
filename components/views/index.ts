import type { View } from "@/components/resource/view";
import { once } from "@/components/ui/once";
import type { ResourceName } from "@/lib/resources";

/**
 * The view of every resource; forget one and `tsc` fails. Each is loaded when its screen is opened, so
 * that a page carries one view, not all of them.
 */
export const views: { readonly [R in ResourceName]: () => Promise<View<R>> } = {
  agents: once(async () => (await import("@/components/views/identity/agents")).agents),
  "api-keys": once(async () => (await import("@/components/views/identity/api-keys")).apiKeys),
  assertions: once(async () => (await import("@/components/views/rules/assertions")).assertions),
  groups: once(async () => (await import("@/components/views/rules/groups")).groups),
  intents: once(async () => (await import("@/components/views/rules/intents")).intents),
  issuers: once(async () => (await import("@/components/views/identity/issuers")).issuers),
  machines: once(async () => (await import("@/components/views/rules/machines")).machines),
  personas: once(async () => (await import("@/components/views/rules/personas")).personas),
  policies: once(async () => (await import("@/components/views/rules/policies")).policies),
  sources: once(async () => (await import("@/components/views/sources/sources")).sources),
  tokens: once(async () => (await import("@/components/views/identity/tokens")).tokens),
  tools: once(async () => (await import("@/components/views/tools/tools")).tools),
  users: once(async () => (await import("@/components/views/identity/users")).users),
  webhooks: once(async () => (await import("@/components/views/webhooks/webhooks")).webhooks),
};
