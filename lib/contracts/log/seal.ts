import { z } from "zod";
import { FINDINGS } from "@/lib/resources/parts/words";

/** What keeps the app itself from changing the log: privileges it does not have, or triggers alone. */
export const logProtection = z.enum(["role", "triggers"]);

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** What a seal says and signs: a batch of the log's rows, chained to the batch before (docs/reference/log.md#rows). */
export const sealStatement = z.object({
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** A run of transaction numbers: they begin anew in a restored database. */
  era: z.int().min(1),
  /** The batch: every row written by the transactions `fromXid <= xid < toXid`. */
  fromXid: z.int().min(0),
  toXid: z.int().min(0),
  /** The batch also has the audit events of `auditFrom <= xid < toXid`; absent from seals of before these were sealed. */
  auditFrom: z.int().min(0).optional(),
  count: z.int().min(1),
  /** Merkle tree hash (RFC 9162, 2.1) of the canonical rows. */
  root: hash,
  /** SHA-256 of the signed seal before; zeros before the first. */
  previous: hash,
  /** Thumbprint (RFC 7638) of the key that signed. */
  keyId: z.string(),
});

/** A seal with its Ed25519 signature (base64url) over the canonical statement. A checkpoint is one of these. */
export const signedSeal = sealStatement.extend({ signature: z.string() });

/** One kind of thing that is wrong. */
export type FindingKind = keyof typeof FINDINGS;

/** One thing that is wrong, and where. */
export const sealFinding = z.object({
  kind: z.enum(Object.keys(FINDINGS) as [FindingKind, ...FindingKind[]]),
  /** The seal that shows it; `null` when none does. */
  seal: z.int().nullable(),
  /** The call whose row or body it is; `null` when it is the seal itself. */
  callId: z.string().nullable(),
  /** One sentence. */
  detail: z.string(),
});

/** A month whose rows were dropped on purpose; its seals stay, and are verified. */
export const droppedMonth = z.object({
  month: z.string(),
  /** The archive that has its rows. */
  archive: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  rows: z.int(),
});

/** The answer of `GET executions/verify`. */
export const verifyOutput = z.object({
  /** Nothing is wrong. */
  intact: z.boolean(),
  at: z.iso.datetime(),
  durationMs: z.number(),
  seals: z.int(),
  /** Sealed rows that were looked for: intents, outcomes and audit events. */
  rows: z.int(),
  /** Bodies that were compared with what their rows committed to, and those that were erased. */
  bodies: z.int(),
  erased: z.int(),
  /** Months whose rows are not here any more, but in an archive. */
  dropped: z.array(droppedMonth),
  /** Rows that are not sealed yet. */
  unsealed: z.int(),
  last: signedSeal.nullable(),
  /** The newest checkpoint that was found in the second place; `null` = there is none. */
  checkpoint: signedSeal.nullable(),
  protection: logProtection,
  /** The first 1,000 of them. */
  findings: z.array(sealFinding),
  /** All of them. */
  found: z.int(),
});

/** The answer of `GET executions/seals`: how the log stands, without reading it. */
export const sealStatus = z.object({
  last: signedSeal.nullable(),
  unsealed: z.int(),
  /** When the oldest row that is not sealed was written. */
  oldestUnsealedAt: z.iso.datetime().nullable(),
  checkpoint: signedSeal.nullable(),
  protection: logProtection,
});

/** A row's place in a seal, with the hashes that lead from it to the root (RFC 9162, 2.1.3). */
export const sealedRecord = z.object({
  /** The canonical row: JSON whose SHA-256, after a zero byte, is the leaf. */
  record: z.string(),
  index: z.int().min(0),
  path: z.array(hash),
  seal: signedSeal,
});

/** Everything that proves one execution to someone who has nothing but our public key. */
export const executionProof = z.object({
  callId: z.string(),
  /** The intent, and the outcome once it is sealed. */
  records: z.array(sealedRecord).min(1),
  /** The public keys that signed (RFC 8037), to be compared with `/api/jwks.json`. */
  keys: z.array(z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string(), kid: z.string() })),
});

/** What keeps the app from changing the log. */
export type LogProtection = z.output<typeof logProtection>;
/** What a seal signs. */
export type SealStatement = z.output<typeof sealStatement>;
/** A seal, or a checkpoint. */
export type SignedSeal = z.output<typeof signedSeal>;
/** One thing that is wrong. */
export type SealFinding = z.output<typeof sealFinding>;
/** A month that was dropped. */
export type DroppedMonth = z.output<typeof droppedMonth>;
/** What a verification found. */
export type VerifyOutput = z.output<typeof verifyOutput>;
/** How the log stands. */
export type SealStatus = z.output<typeof sealStatus>;
/** A row in its seal. */
export type SealedRecord = z.output<typeof sealedRecord>;
/** The proof of one execution. */
export type ExecutionProof = z.output<typeof executionProof>;
