import type { OuterContext } from "oidc-provider";
import * as errors from "oidc-provider/lib/helpers/errors.js";
import { Provider } from "oidc-provider/lib/provider.js";
import { connectionOf } from "@/lib/agents/oauth/connection-of";
import { invalidGrant } from "@/lib/agents/oauth/describable";
import { hasFailed } from "@/lib/agents/oauth/refusal";
import { registeredClients } from "@/lib/agents/oauth/registered-client";
import { ownAudience } from "@/lib/auth/agents/own-issuer";
import { clientAddress } from "@/lib/auth/client-address";
import { retryUntilWritten } from "@/lib/calls/queue/retry-until-written";
import { SELF_REGISTERED } from "@/lib/contracts/people/client-label";
import { findRegistration, saveRegistration } from "@/lib/store/oauth/client-registrations";
import { endConnectionOfClient } from "@/lib/store/oauth/connections";
import {
  consumeOAuthRow,
  deleteOAuthRow,
  deleteRowsOfConnection,
  findOAuthRow,
  insertOAuthRow,
  saveOAuthRow,
  undoRedemption,
  type OAuthPayload,
  type OAuthRowKey,
} from "@/lib/store/oauth/oauth-rows";
import { currentSnapshot, newestSnapshot } from "@/lib/store/snapshot/snapshot";

/**
 * Milliseconds after a redemption in which a second redemption is only refused, because a client may send a request twice.
 * A later second redemption may be a thief's, so it ends the connection.
 */
const RACE_MS = 5_000;

/** The storage interface of oidc-provider. Each of its models has one storage. */
interface Adapter {
  find(id: string): Promise<object | undefined>;
  findByUid(uid: string): Promise<object | undefined>;
  upsert(id: string, payload: OAuthPayload, seconds: number): Promise<void>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<unknown>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** The storage of one of oidc-provider's models. */
export function adapterOf(model: string): Adapter {
  if (model === "Grant") return CONNECTIONS;
  if (model === "Client") return storedClients();
  if (model === "Session") return NO_STORAGE;
  if (model === "ReplayDetection") return USED_ASSERTIONS;
  return rowStorage(model);
}

/** Stores nothing. The app's own session says who a person is, so the provider's session lasts for one request. */
const NO_STORAGE: Adapter = {
  find: async () => undefined,
  findByUid: async () => undefined,
  upsert: async () => {},
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

/** A grant is a connection: `consent.ts` writes it, and revoking a grant ends the connection. */
const CONNECTIONS: Adapter = {
  ...NO_STORAGE,
  async find(id) {
    const row = await connectionOf(Provider.ctx, id);
    if (row === null) return undefined;
    const resources = { [ownAudience()]: row.scopes.join(" ") };
    return { jti: id, kind: "Grant", accountId: row.person, clientId: row.client, resources };
  },
  // oidc-provider revokes a grant after a second redemption, and when the client asks for it (RFC 7009).
  async destroy(id) {
    const { oidc, headers } = Provider.ctx;
    const action = oidc.route === "revocation" ? "connections.revoked" : "connections.reused";
    await endConnectionOfClient(id, action, clientAddress(new Headers(headers)));
  },
};

/** Clients that an admin registered or that registered themselves. Clients with a client document are not stored. */
function storedClients(): Adapter {
  const now = () => performance.now();
  const findRegistered = registeredClients({ current: currentSnapshot, newest: newestSnapshot, now });
  return {
    ...NO_STORAGE,
    async find(id) {
      return (await (id.startsWith(SELF_REGISTERED) ? findRegistration(id) : findRegistered(id))) ?? undefined;
    },
    async upsert(id, metadata) {
      const address = clientAddress(new Headers(Provider.ctx.headers));
      if (await saveRegistration(id, metadata, address)) return;
      const refusal = new errors.TemporarilyUnavailable("Too many clients were registered: try again in an hour.");
      throw Object.assign(refusal, { status: 429, statusCode: 429 });
    },
  };
}

/**
 * The `jti`s of used assertions. `find` returns none. If several requests use the same assertion, only the first one can
 * insert its row.
 */
const USED_ASSERTIONS: Adapter = {
  ...NO_STORAGE,
  async upsert(id, _payload, seconds) {
    if (await insertOAuthRow("ReplayDetection", id, seconds)) return;
    throw new errors.InvalidClientAuth("The `jti` of this assertion was used before.");
  },
};

function rowStorage(model: string): Adapter {
  return {
    async find(id) {
      const row = await findOAuthRow(model, id);
      const { consumed } = row ?? {};
      // A client may revoke a token that it has just redeemed (RFC 7009).
      const isRevocation = Provider.ctx.oidc.route === "revocation";
      if (!isRevocation && typeof consumed === "number" && Date.now() - consumed * 1000 < RACE_MS)
        throw invalidGrant("This was redeemed a moment ago: each code and refresh token works once.");
      return row ?? undefined;
    },
    findByUid: async () => undefined,
    async upsert(id, payload, seconds) {
      redemptions.get(Provider.ctx)?.issued.push({ model, id });
      await saveOAuthRow(model, id, payload, seconds);
    },
    async consume(id) {
      const consumedAt = await consumeOAuthRow(model, id);
      if (consumedAt === null) throw invalidGrant("This was redeemed at the same time by another request.");
      redemptions.set(Provider.ctx, { redeemed: { model, id, consumedAt }, issued: [] });
    },
    destroy: (id) => deleteOAuthRow(model, id),
    revokeByGrantId: (grantId) => deleteRowsOfConnection(grantId),
  };
}

/** What a request redeemed, and the rows that it wrote since. */
interface Redemption {
  readonly redeemed: OAuthRowKey & { readonly consumedAt: Date };
  readonly issued: OAuthRowKey[];
}

/** The redemption of a request, by its context. */
const redemptions = new WeakMap<object, Redemption>();

/**
 * Undoes the redemption of a request that this server fails to answer: the client got no successor, so its next try with the
 * same code or refresh token is no second use.
 */
export async function undoFailedRedemptions(ctx: OuterContext, next: () => Promise<void>): Promise<void> {
  await next();
  const redemption = redemptions.get(ctx);
  if (redemption === undefined || !hasFailed(ctx)) return;
  const undo = () => undoRedemption(redemption.redeemed, redemption.issued);
  await undo().catch(() => void retryUntilWritten("redemption", undo));
}
