import { createHash, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import type { JsonObject } from "@/lib/access/model/configuration";
import { db } from "@/lib/store/db/database";
import { open, seal } from "@/lib/store/keys/cipher";
import { write, type Actor, type Change } from "@/lib/store/save/write";

// The ES256 keys that sign our access tokens. The newest key signs; older ones verify until no token of theirs is left.

/** Milliseconds after which a key is replaced. */
const KEY_AGE_MS = 30 * 24 * 60 * 60 * 1000;
/** Milliseconds for which a replaced key still verifies. Tokens live 10 minutes; a clock may be wrong. */
const OVERLAP_MS = 24 * 60 * 60 * 1000;

const ROTATION: Actor = { kind: "system", name: "key rotation", role: "admin" };

/**
 * Creates a key when no MASTER_KEY opens any, or the newest is too old, and deletes keys that verify nothing any more.
 * Several processes may run this at once: the writers' lock lets one of them act.
 */
export async function rotateTokenKeys(now = new Date()): Promise<void> {
  if ((await due(now)) === null) return;
  await write(
    ROTATION,
    async () => {
      const found = await due(now);
      if (found === null) return [];
      const old = found.unused.map((id): Change => ({ resource: "token-keys", action: "delete", id }));
      return found.create ? [newKey(), ...old] : old;
    },
    { now },
  );
}

/** What a rotation has to do; `null` = nothing. */
async function due(now: Date): Promise<{ readonly create: boolean; readonly unused: readonly string[] } | null> {
  const keys = await db().tokenKey.findMany({ orderBy: { createdAt: "desc" } });
  const age = ({ createdAt }: { createdAt: Date }) => now.getTime() - createdAt.getTime();
  const [newest] = keys;
  // A key was replaced when the next newer one was created.
  const unused = keys.filter((_, index) => {
    const successor = keys[index - 1];
    return successor !== undefined && age(successor) >= OVERLAP_MS;
  });
  const kept = keys.filter((key) => !unused.includes(key));
  const create = newest === undefined || age(newest) >= KEY_AGE_MS || kept.every((key) => openKey(key) === null);
  return create || unused.length > 0 ? { create, unused: unused.map(({ id }) => id) } : null;
}

function newKey(): Change {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { d, ...bare } = privateKey.export({ format: "jwk" });
  const kid = thumbprint(bare);
  const publicKey = { ...bare, kid, alg: "ES256", use: "sig" } as JsonObject;
  const ciphertext = seal("token-key", JSON.stringify({ ...publicKey, d }), kid);
  return { resource: "token-keys", action: "create", after: { id: kid, publicKey }, secret: { ciphertext } };
}

/** The thumbprint of an EC public key: over exactly these members in this order (RFC 7638). */
function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
}

/** The private keys (JWK), the one that signs first. A key that no MASTER_KEY opens is left out. */
export async function readTokenKeys(): Promise<readonly JsonWebKey[]> {
  const rows = await db().tokenKey.findMany({ orderBy: { createdAt: "desc" } });
  return rows.map(openKey).filter((key) => key !== null);
}

function openKey({ id, ciphertext }: { readonly id: string; readonly ciphertext: string }): JsonWebKey | null {
  const text = open("token-key", ciphertext, id);
  return text === null ? null : (JSON.parse(text) as JsonWebKey);
}
