import type { ResourceName } from "@/lib/resources/index";
import { agents } from "@/lib/store/config/agents";
import { apiKeys } from "@/lib/store/config/api-keys";
import { assertions } from "@/lib/store/config/assertions";
import { clients } from "@/lib/store/config/clients";
import type { Store } from "@/lib/store/config/crud";
import { groups } from "@/lib/store/config/groups";
import { flows } from "@/lib/store/config/flows";
import { intents } from "@/lib/store/config/intents";
import { issuers } from "@/lib/store/config/issuers";
import { labels } from "@/lib/store/config/labels";
import { machines } from "@/lib/store/config/machines";
import { personas } from "@/lib/store/config/personas";
import { policies } from "@/lib/store/config/policies";
import { sources } from "@/lib/store/config/sources";
import { tokens } from "@/lib/store/people/tokens";
import { tools } from "@/lib/store/config/tools";
import { users } from "@/lib/store/config/users";
import { webhooks } from "@/lib/store/config/webhooks";

/** The stores by resource, for the admin API. */
export const stores: { readonly [R in ResourceName]: Store<R> } = {
  sources,
  tools,
  groups,
  policies,
  machines,
  personas,
  intents,
  labels,
  flows,
  issuers,
  agents,
  clients,
  assertions,
  "api-keys": apiKeys,
  tokens,
  users,
  webhooks,
};
