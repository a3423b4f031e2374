import { OWN_ISSUER } from "@/lib/access/model/claims";
import { AppError } from "@/lib/errors";
import { policyInput } from "@/lib/resources/policy";
import { db } from "@/lib/store/db/database";
import type { Prisma } from "@/lib/store/generated/client";
import { openAccessRequest } from "@/lib/store/requests/access-requests";
import { answerRequest } from "@/lib/store/requests/requests";
import type { Actor } from "@/lib/store/save/change";
import { DEMO } from "@/lib/store/save/demo-mark";
import { write } from "@/lib/store/save/write";

/** The agent that asks for access in the demo. It has no key, so every request of it is the demo's. */
const ASKING_AGENT = "night-bot";

const OF_DEMO: Prisma.RequestWhereInput = {
  status: "open",
  OR: [
    { kind: "change", askerKind: DEMO.kind, asker: DEMO.name },
    { kind: "access", issuer: OWN_ISSUER, subject: ASKING_AGENT },
  ],
};

/** Opens the demo's two requests, unless they exist: a new policy, and an agent's access to a tool. */
export async function openDemoRequests(revision: number, now: Date): Promise<void> {
  const made = await db().request.count({ where: { kind: "change", askerKind: DEMO.kind, asker: DEMO.name } });
  if (made === 0) await openDemoChange(now);
  await openAccessRequest(
    { issuer: OWN_ISSUER, subject: ASKING_AGENT, client: null, agent: ASKING_AGENT },
    {
      policy: "refunds-at-night",
      tool: "support:refund_order",
      hours: 2,
      reason: "Two customers were charged twice tonight, and no supervisor is on shift.",
      basis: revision,
    },
    now,
  );
}

async function openDemoChange(now: Date): Promise<void> {
  const after = policyInput.parse({
    name: "store-clerks",
    description: "People in the stores look up customers and orders.",
    matchers: [{ claim: "team", operator: "equals", value: "stores" }],
    groups: ["support-read"],
  });
  const asker = {
    ...DEMO,
    reason: "Customers bring orders to the stores, and the clerks call the support desk for each.",
  };
  try {
    await write(asker, () => [{ resource: "policies", action: "create", after }], { review: "request", now });
  } catch (error) {
    // The answer to every change that became a request.
    if (!(error instanceof AppError) || error.code !== "awaits_review") throw error;
  }
}

/** The number of the demo's requests that are open. */
export async function countDemoRequests(): Promise<number> {
  return db().request.count({ where: OF_DEMO });
}

/** Withdraws the demo's open requests. Requests are records, so their rows stay. */
export async function withdrawDemoRequests(tx: Prisma.TransactionClient, actor: Actor, now: Date): Promise<void> {
  const open = await tx.request.findMany({ where: OF_DEMO, select: { id: true } });
  const answer = { status: "withdrawn", actor, reason: "The demo data was removed.", requestId: null } as const;
  for (const { id } of open) await answerRequest(tx, { id, hash: null }, answer, now);
}
