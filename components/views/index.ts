import type { View } from "@/components/resource/view";
import { loadOnce } from "@/components/ui/load-once";
import type { ResourceName } from "@/lib/resources";

/**
 * The view of every resource; `tsc` fails when one is missing. Each is loaded when its screen opens, so
 * that a page carries one view, not all of them.
 */
export const views: { readonly [R in ResourceName]: () => Promise<View<R>> } = {
  agents: loadOnce(async () => (await import("@/components/views/identity/agents")).agents),
  "api-keys": loadOnce(async () => (await import("@/components/views/identity/api-keys")).apiKeys),
  assertions: loadOnce(async () => (await import("@/components/views/rules/assertions")).assertions),
  clients: loadOnce(async () => (await import("@/components/views/identity/clients")).clients),
  flows: loadOnce(async () => (await import("@/components/views/flow/flows")).flows),
  groups: loadOnce(async () => (await import("@/components/views/rules/groups")).groups),
  intents: loadOnce(async () => (await import("@/components/views/rules/intents")).intents),
  issuers: loadOnce(async () => (await import("@/components/views/identity/issuers")).issuers),
  labels: loadOnce(async () => (await import("@/components/views/flow/labels")).labels),
  machines: loadOnce(async () => (await import("@/components/views/rules/machines")).machines),
  personas: loadOnce(async () => (await import("@/components/views/rules/personas")).personas),
  policies: loadOnce(async () => (await import("@/components/views/rules/policies")).policies),
  sources: loadOnce(async () => (await import("@/components/views/sources/sources")).sources),
  tokens: loadOnce(async () => (await import("@/components/views/identity/tokens")).tokens),
  tools: loadOnce(async () => (await import("@/components/views/tools/tools")).tools),
  users: loadOnce(async () => (await import("@/components/views/identity/users")).users),
  webhooks: loadOnce(async () => (await import("@/components/views/webhooks/webhooks")).webhooks),
};
