import { randomBytes } from "node:crypto";
import { AppError } from "@/lib/errors";
import type { WebhookInput, WebhookRow } from "@/lib/resources/webhook";
import { OVERLAP_HOURS } from "@/lib/resources/parts/webhook-events";
import { open, seal } from "@/lib/store/keys/cipher";
import { crud, requireValue } from "@/lib/store/config/crud";
import { db } from "@/lib/store/db/database";
import { element, flag } from "@/lib/store/db/filters";
import { toValue } from "@/lib/store/config/tables";
import { asCreated, refuseRotation } from "@/lib/store/save/review-mode";
import { write, writeAndRead, type Actor } from "@/lib/store/save/write";

/** The actor that switches off a webhook whose receiver answered 410 Gone. */
const DELIVERY: Actor = { kind: "system", name: "webhook delivery", role: "admin" };

const HOUR_MS = 60 * 60 * 1000;
/** 264 random bits, so that base64 needs no padding. Standard Webhooks requires 192 to 512. */
const SECRET_BYTES = 33;

const store = crud({
  resource: "webhooks",
  search: ["name", "description", "url"],
  sort: { name: "text", createdAt: "time", updatedAt: "time" },
  filters: { active: flag("active"), event: element("events") },
  /** The secret is bound to the name. Only `rotateWebhook` changes it. */
  merge: (input: WebhookInput, before) => {
    if (input.name !== before.name)
      throw new AppError("invalid_request", "A webhook's name cannot be changed.", {
        errors: [{ path: "name", message: `must be \`${before.name}\`: create another webhook instead` }],
      });
    return { ...toValue("webhooks", before), ...input, switchedOff: input.active ? null : before.switchedOff };
  },
});

/** A row with its secret, which only this one answer shows. */
type WithSecret = WebhookRow & { readonly secret: string };

/** Webhooks. `create` returns the signing secret, which no later answer shows. */
export const webhooks = {
  ...store,
  create: async (actor: Actor, input: WebhookInput): Promise<WithSecret> => {
    const { secret, lastFour, ciphertext } = mint(input.name);
    const { enabled } = await asCreated(actor, { enabled: input.active });
    const after = { ...input, active: enabled, switchedOff: null, lastFour, previousUntil: null };
    const plan = () => [{ resource: "webhooks", action: "create", after, secret: { ciphertext } } as const];
    return { ...(await writeAndRead(actor, plan, (tx) => store.get(input.name, tx))), secret };
  },
};

/**
 * Gives a webhook a new secret and returns it once. For a day the previous secret signs too, so that the receiver can
 * switch to the new one.
 *
 * @throws AppError `not_found`, `forbidden`
 */
export async function rotateWebhook(actor: Actor, name: string, now = new Date()): Promise<WithSecret> {
  await refuseRotation(actor);
  const { secret, lastFour, ciphertext } = mint(name);
  const row = await writeAndRead(
    actor,
    async (stored, tx) => {
      const before = await requireValue(stored, "webhooks", name);
      // In the transaction: of two rotations at once, the second keeps the secret of the first.
      const previous = await tx.webhook.findUnique({ where: { name }, select: { ciphertext: true } });
      const previousUntil = new Date(now.getTime() + OVERLAP_HOURS * HOUR_MS).toISOString();
      const columns = { ciphertext, previousCiphertext: previous?.ciphertext ?? null };
      const after = { ...before, lastFour, previousUntil };
      return [{ resource: "webhooks", action: "update", id: name, after, secret: columns }];
    },
    (tx) => store.get(name, tx),
    { now },
  );
  return { ...row, secret };
}

/** Switches a webhook off and records why. Does nothing when it is deleted or already off. */
export async function switchOff(name: string, why: string): Promise<void> {
  await write(
    DELIVERY,
    async (stored) => {
      const before = await stored.get("webhooks", name);
      if (before === null || !before.active) return [];
      const after = { ...toValue("webhooks", before), active: false, switchedOff: why };
      return [{ resource: "webhooks", action: "update", id: name, after }];
    },
    { note: `${name}: ${why}` },
  );
}

/** The data of a webhook that a delivery needs. */
interface Receiver {
  readonly url: string;
  readonly active: boolean;
  /** Signing secrets: the present one, then during an overlap the previous one. Empty = no master key opens them. */
  readonly secrets: readonly string[];
}

/** The receiver of a webhook's deliveries now; `null` when the webhook does not exist. */
export async function findReceiver(name: string, now: Date): Promise<Receiver | null> {
  const row = await readSealed(name);
  if (row === null) return null;
  const { url, active, ciphertext, previousCiphertext, previousUntil } = row;
  const overlaps = previousUntil !== null && previousUntil > now;
  const sealed = [ciphertext, ...(overlaps && previousCiphertext !== null ? [previousCiphertext] : [])];
  return { url, active, secrets: sealed.flatMap((text) => open("webhook", text, name) ?? []) };
}

function readSealed(name: string) {
  return db().webhook.findUnique({ where: { name } });
}

/** Creates a secret in the form of Standard Webhooks: `whsec_` and base64. */
function mint(name: string): { readonly secret: string; readonly lastFour: string; readonly ciphertext: string } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  return { secret, lastFour: secret.slice(-4), ciphertext: seal("webhook", secret, name) };
}
