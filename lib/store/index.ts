import type { ResourceName } from "@/lib/resources/index";
import { agents } from "@/lib/store/agents";
import { apiKeys } from "@/lib/store/api-keys";
import { assertions } from "@/lib/store/assertions";
import type { Store } from "@/lib/store/crud";
import { groups } from "@/lib/store/groups";
import { intents } from "@/lib/store/intents";
import { issuers } from "@/lib/store/issuers";
import { machines } from "@/lib/store/machines";
import { personas } from "@/lib/store/personas";
import { policies } from "@/lib/store/policies";
import { sources } from "@/lib/store/sources";
import { tokens } from "@/lib/store/tokens";
import { tools } from "@/lib/store/tools";
import { users } from "@/lib/store/users";
import { webhooks } from "@/lib/store/webhooks";

/** The table of stores, one per resource: what the uniform admin API works with. */
export const stores: { readonly [R in ResourceName]: Store<R> } = {
  sources,
  tools,
  groups,
  policies,
  machines,
  personas,
  intents,
  issuers,
  agents,
  assertions,
  "api-keys": apiKeys,
  tokens,
  users,
  webhooks,
};
