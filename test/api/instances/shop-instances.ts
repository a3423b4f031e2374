import { keyOf, save } from "@/test/api/agents-world";
import { openShop, Remote, shopDocument, type Shop } from "@/test/api/instances-world";
import { startInstances, type Instances } from "@/test/support/processes/instances";

/** Three real processes on one database, with the support team and its shop. */
export interface ShopInstances {
  readonly shop: Shop;
  readonly instances: Instances;
  /** The API key of the agent `reader`. */
  readonly key: string;
  /** The agent `reader` at each process. */
  readonly readers: readonly [Remote, Remote, Remote];
  readonly close: () => Promise<void>;
}

/** The part of the configuration document that tests change. */
export type Document = Record<"tools" | "groups" | "policies", { readonly id: string; readonly name: string }[]>;

/** Saves the document of the shop, as `change` leaves it, and starts the processes. */
export async function startShopInstances(
  databaseUrl: string,
  change: (document: Document) => Record<string, unknown> = (document) => document,
  env: Record<string, string> = {},
): Promise<ShopInstances> {
  const shop = await openShop();
  await save(change(shopDocument(shop.host) as Document));
  const key = await keyOf("reader");
  const instances = await startInstances(databaseUrl, { OUTBOUND_ALLOW: shop.host, ...env });
  const close = async () => {
    await instances.stop();
    shop.close();
  };
  return { shop, instances, key, readers: atEach(instances, key), close };
}

/** The holder of a credential, at each process. */
export function atEach({ all: [a, b, c] }: Instances, credential: string): [Remote, Remote, Remote] {
  return [new Remote(a, credential), new Remote(b, credential), new Remote(c, credential)];
}
