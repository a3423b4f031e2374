import type { View } from "@/components/resource/view";
import { once } from "@/components/ui/once";
import type { ResourceName } from "@/lib/resources";

/**
 * The view of every resource; forget one and `tsc` fails. Each is loaded when its screen is opened, so
 * that a page carries one view, not all of them.
 */
export const views: { readonly [R in ResourceName]: () => Promise<View<R>> } = {
  agents: once(async () => (await import("@/components/views/agents")).agents),
  "api-keys": once(async () => (await import("@/components/views/api-keys")).apiKeys),
  assertions: once(async () => (await import("@/components/views/assertions")).assertions),
  groups: once(async () => (await import("@/components/views/groups")).groups),
  intents: once(async () => (await import("@/components/views/intents")).intents),
  issuers: once(async () => (await import("@/components/views/issuers")).issuers),
  machines: once(async () => (await import("@/components/views/machines")).machines),
  personas: once(async () => (await import("@/components/views/personas")).personas),
  policies: once(async () => (await import("@/components/views/policies")).policies),
  sources: once(async () => (await import("@/components/views/sources")).sources),
  tokens: once(async () => (await import("@/components/views/tokens")).tokens),
  tools: once(async () => (await import("@/components/views/tools")).tools),
  users: once(async () => (await import("@/components/views/users")).users),
  webhooks: once(async () => (await import("@/components/views/webhooks")).webhooks),
};
