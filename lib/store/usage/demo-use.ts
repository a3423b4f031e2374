import { OWN_ISSUER } from "@/lib/access/model/claims";
import { MAIN_PROFILE, type JsonObject } from "@/lib/access/model/configuration";
import { requestOf } from "@/lib/access/model/request";
import type { Prisma } from "@/lib/store/generated/client";
import { seal } from "@/lib/store/keys/cipher";

/**
 * The caller of the demo's made-up use, and the digest of its claims. The roll-up writes digests, so a counted call never has
 * this caller, and the demo's counts can be marked and removed.
 */
export const DEMO_CALLER = "demo";

/** The demo's agent with its attributes, as prisma/seed/demo.yaml defines it. */
interface DemoAgent {
  readonly name: string;
  readonly attributes: JsonObject;
  readonly machine: string | null;
}

/** The state in which the demo's agent reaches every tool that it is granted. */
const STATE = "investigating";
const DAYS = 30;
const DAY_MS = 86_400_000;
/** What the demo's agent calls on a day: policy, group, tool, calls. It never lists orders, closes a ticket or calculates. */
const USED = [
  ["support-staff", "support-read", "support:lookup_customer", 41],
  ["support-staff", "support-read", "support:get_order", 38],
  ["support-staff", "support-read", "support:search_knowledge", 17],
  ["support-staff", "tickets", "support:add_note", 29],
  ["support-staff", "tickets", "support:escalate_ticket", 4],
  ["small-refunds", "refunds", "support:refund_order", 6],
] as const;

/** Writes use of the demo's agent on the 30 days before `now`, as a roll-up of such calls would. The log stays empty. */
export async function addDemoUse(tx: Prisma.TransactionClient, agent: DemoAgent, now: Date): Promise<void> {
  const { name, attributes, machine } = agent;
  const claims = { ...attributes, sub: name, iss: OWN_ISSUER };
  const ciphertext = seal("claims", JSON.stringify(claims), DEMO_CALLER);
  await tx.executionClaims.create({ data: { digest: DEMO_CALLER, at: now, ciphertext } });
  const days = Array.from({ length: DAYS }, (_, back) => new Date(now.getTime() - (back + 1) * DAY_MS));
  const [lastDay] = days;
  if (lastDay === undefined) return;
  const { claims: _claims, ...unstated } = requestOf(claims);
  const request = { ...unstated, agent: name, state: STATE, machine, profiles: [MAIN_PROFILE] };
  const caller = { caller: DEMO_CALLER, issuer: OWN_ISSUER, subject: name, agent: name, claimsDigest: DEMO_CALLER };
  await tx.usageCaller.create({ data: { ...caller, request, inSession: false, lastDay } });
  const through = USED.flatMap(([policy, group, tool, calls]) => [
    { policy, group, tool, calls },
    { policy: "", group: "", tool, calls },
  ]);
  await tx.usageDay.createMany({
    data: through.flatMap((use) => days.map((day) => ({ ...use, caller: DEMO_CALLER, day }))),
  });
  await tx.usageLast.createMany({ data: through.map(({ calls: _calls, ...use }) => ({ ...use, lastDay })) });
}

/** Removes the demo's use. A last day that a counted call has too stays. */
export async function removeDemoUse(tx: Prisma.TransactionClient): Promise<void> {
  await tx.$executeRaw`
    DELETE FROM usage_last USING usage_day demo
    WHERE demo.caller = ${DEMO_CALLER} AND usage_last.policy = demo.policy AND usage_last."group" = demo."group"
      AND usage_last.tool = demo.tool AND usage_last."lastDay" = demo.day
      AND NOT EXISTS (SELECT FROM usage_day other WHERE other.policy = demo.policy AND other."group" = demo."group"
        AND other.tool = demo.tool AND other.day = demo.day AND other.caller <> ${DEMO_CALLER})`;
  await tx.usageDay.deleteMany({ where: { caller: DEMO_CALLER } });
  await tx.usageCaller.deleteMany({ where: { caller: DEMO_CALLER } });
  await tx.executionClaims.deleteMany({ where: { digest: DEMO_CALLER } });
}
