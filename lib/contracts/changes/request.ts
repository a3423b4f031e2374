import { z } from "zod";
import { verdict } from "@/lib/contracts/changes/verdict";
import { impactOutput } from "@/lib/contracts/decisions/impact";
import { pageOf } from "@/lib/contracts/changes/list";
import { flag } from "@/lib/resources/parts/name";
import { CHANGE_ACTIONS, REQUEST_KINDS, REQUEST_STATUSES } from "@/lib/resources/parts/words";

/** Who asks: a person, a personal access token, the program, or an agent. */
const asker = z.object({ kind: z.enum(["user", "token", "system", "agent"]), name: z.string() });

/** The facts of a change request: the changed rows, at most 20 by name. */
const changeFacts = z.object({
  kind: z.literal("change"),
  rows: z.array(z.object({ resource: z.string(), id: z.string(), action: z.enum(CHANGE_ACTIONS) })).max(20),
  /** The number of changed rows. */
  count: z.int(),
  /** The verdict when the request was opened. An approval applies nothing that is wider. */
  verdict,
});

/** The facts of an access request: one tool, for some hours. */
const accessFacts = z.object({ kind: z.literal("access"), tool: z.string(), hours: z.number() });

/** The facts of a request that lists show, by kind. */
const requestFacts = z.discriminatedUnion("kind", [changeFacts, accessFacts]);

/** One request: the part that every role may read. */
export const requestRow = z.object({
  id: z.string(),
  kind: z.enum(REQUEST_KINDS),
  status: z.enum(REQUEST_STATUSES),
  at: z.iso.datetime(),
  /** When it was answered; while it is open, when it expires; while it is `bypassed`, when it is reverted. */
  closesAt: z.iso.datetime(),
  asker,
  /** The caller that asks for access; `null` for a change. */
  caller: z.object({ issuer: z.string(), subject: z.string(), client: z.string().nullable() }).nullable(),
  reason: z.string(),
  /** The first changed row (`policies/refunds`), or the id of the tool. */
  target: z.string(),
  /** The revision that the request is based on. */
  basis: z.int(),
  facts: requestFacts,
  /** SHA-256 over the request. An approval states it. */
  hash: z.string(),
  decidedBy: z.string().nullable(),
  decidedReason: z.string().nullable(),
  /** The revision that applied it. */
  revision: z.int().nullable(),
  /** The granted access of an access request; `null` = none, or it ended so long ago that its row was removed. */
  grant: z
    .object({ from: z.iso.datetime(), until: z.iso.datetime(), by: z.string(), endedBy: z.string().nullable() })
    .nullable(),
  /** Whether the granted access of an access request has ended. */
  ended: z.boolean(),
  /** Who applied it without review, why and when; `null` when nobody did. `closesAt` is the time of its revert. */
  bypass: z.object({ by: z.string(), reason: z.string(), at: z.iso.datetime() }).nullable(),
});

/** The facts of a request. */
export type RequestFacts = z.output<typeof requestFacts>;
/** One row of the requests. */
export type RequestRow = z.output<typeof requestRow>;

/** The answer of a change that waits for a second person (202). */
export const heldChange = z.object({ request: requestRow, verdict });

/** A page of requests. */
export const requestPage = pageOf(requestRow);

/** One request with the changes that it holds. */
export const requestDetail = requestRow.extend({
  /** The changed rows that the reader may see, before and after, without secrets; `null` when they cannot be decrypted. */
  changes: z
    .array(
      z.object({
        resource: z.string(),
        id: z.string(),
        action: z.enum(CHANGE_ACTIONS),
        before: z.json().nullable(),
        after: z.json().nullable(),
      }),
    )
    .nullable(),
  /** The verdict in one sentence; `null` for an access request. */
  sentence: z.string().nullable(),
  /** Whether the reader made the request, in person or through a token. */
  own: z.boolean(),
  /** Whether the request is open and the reader's role may answer it. */
  mayAnswer: z.boolean(),
  /** Whether the reader may apply it without review, after a sign-in of the last 10 minutes. */
  mayBypass: z.boolean(),
  /** Whether the reader may confirm it as the second person. */
  mayConfirm: z.boolean(),
});

/** What an open change request would do now; `null` when it is closed, or affects no decision, approval or limit. */
export const requestImpact = z.object({ impact: impactOutput.nullable() });

/** The query of `GET /api/admin/requests/{id}/impact`: `arguments=true` checks logged arguments too. */
export const requestImpactQuery = z.strictObject({ arguments: flag });

/** `POST /api/admin/requests/{id}/approve`: states the hash of the request that the approver saw. */
export const requestApproval = z.strictObject({
  hash: z.string().length(64),
  reason: z.string().trim().max(500).default(""),
});

/** `POST /api/admin/requests/{id}/bypass`: an emergency needs a reason. */
export const requestBypass = requestApproval.extend({ reason: z.string().trim().min(1).max(500) });

/** `POST /api/admin/requests/{id}/refuse`, `…/revert` and `…/withdraw`. */
export const requestClosing = z.strictObject({ reason: z.string().trim().max(500).default("") });

/** One request with its changes. */
export type RequestDetail = z.output<typeof requestDetail>;
/** A change that waits for a second person. */
export type HeldChange = z.output<typeof heldChange>;
/** The impact of a change request. */
export type RequestImpact = z.output<typeof requestImpact>;
