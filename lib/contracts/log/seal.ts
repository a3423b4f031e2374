import { z } from "zod";
import { LOG_DEFECTS } from "@/lib/resources/parts/words";

/** What prevents the app from changing the log: missing privileges, or triggers alone. */
const logProtection = z.enum(["role", "triggers"]);

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * The statement that a seal signs: a batch of the log's rows, chained to the previous batch
 * (docs/reference/log.md#rows).
 */
const sealStatement = z.object({
  number: z.int().min(1),
  at: z.iso.datetime(),
  /** A range of transaction numbers: they start anew in a restored database. */
  era: z.int().min(1),
  /** The batch: every row that the transactions `fromXid <= xid < toXid` wrote. */
  fromXid: z.int().min(0),
  toXid: z.int().min(0),
  /**
   * The batch also covers the audit events of `auditFrom <= xid < toXid`; absent in old seals, which had no audit
   * events.
   */
  auditFrom: z.int().min(0).optional(),
  count: z.int().min(1),
  /** Merkle tree hash (RFC 9162, 2.1) of the canonical rows. */
  root: hash,
  /** SHA-256 of the previous signed seal; zeros for the first. */
  previous: hash,
  /** Thumbprint (RFC 7638) of the signing key. */
  keyId: z.string(),
});

/** A seal with its Ed25519 signature (base64url) over the canonical statement. A checkpoint has this shape. */
export const signedSeal = sealStatement.extend({ signature: z.string() });

/** One kind of defect. */
export type DefectKind = keyof typeof LOG_DEFECTS;

/** One defect and its place. */
const logDefect = z.object({
  kind: z.enum(Object.keys(LOG_DEFECTS) as [DefectKind, ...DefectKind[]]),
  /** The seal that shows the defect; `null` when none does. */
  seal: z.int().nullable(),
  /** The call whose row or body is defective; `null` when the seal itself is. */
  callId: z.string().nullable(),
  /** One sentence. */
  detail: z.string(),
});

/** A month whose rows were dropped on purpose. Its seals stay and are verified. */
const droppedMonth = z.object({
  month: z.string(),
  /** The archive that holds the month's rows. */
  archive: z.string(),
  at: z.iso.datetime(),
  by: z.string(),
  rows: z.int(),
});

/** The answer of `GET executions/verify`. */
export const verifyOutput = z.object({
  /** True when no defect was found. */
  intact: z.boolean(),
  at: z.iso.datetime(),
  durationMs: z.number(),
  seals: z.int(),
  /** The number of sealed rows checked: intents, outcomes and audit events. */
  rows: z.int(),
  /** The number of bodies compared with their rows' commitments, and of erased bodies. */
  bodies: z.int(),
  erased: z.int(),
  /** Months whose rows are in an archive instead of the log. */
  dropped: z.array(droppedMonth),
  /** Rows without a seal. */
  unsealed: z.int(),
  last: signedSeal.nullable(),
  /** The newest checkpoint in the checkpoint store; `null` = none. */
  checkpoint: signedSeal.nullable(),
  protection: logProtection,
  /** The first 1,000 defects. */
  findings: z.array(logDefect),
  /** The number of all defects. */
  found: z.int(),
});

/** The answer of `GET executions/seals`: the status of the log, without reading its rows. */
export const sealStatus = z.object({
  last: signedSeal.nullable(),
  unsealed: z.int(),
  /** When the oldest unsealed row was written. */
  oldestUnsealedAt: z.iso.datetime().nullable(),
  checkpoint: signedSeal.nullable(),
  protection: logProtection,
});

/** A row's index in a seal, with the hashes from the row to the root (RFC 9162, 2.1.3). */
const sealedRecord = z.object({
  /** The canonical row: JSON whose SHA-256, after a zero byte, is the leaf. */
  record: z.string(),
  index: z.int().min(0),
  path: z.array(hash),
  seal: signedSeal,
});

/** Proves one execution to a person who has nothing except the public key. */
export const executionProof = z.object({
  callId: z.string(),
  /** The intent row, and the outcome row and the audit event of the approval's answer once they are sealed. */
  records: z.array(sealedRecord).min(1),
  /** The public keys that signed (RFC 8037), for comparison with `/api/jwks.json?use=seal`. */
  keys: z.array(z.object({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string(), kid: z.string() })),
});

/** The statement that a seal signs. */
export type SealStatement = z.output<typeof sealStatement>;
/** A seal, or a checkpoint. */
export type SignedSeal = z.output<typeof signedSeal>;
/** One defect. */
export type LogDefect = z.output<typeof logDefect>;
/** A dropped month. */
export type DroppedMonth = z.output<typeof droppedMonth>;
/** The result of a verification. */
export type VerifyOutput = z.output<typeof verifyOutput>;
/** The status of the log. */
export type SealStatus = z.output<typeof sealStatus>;
/** A row in its seal. */
export type SealedRecord = z.output<typeof sealedRecord>;
/** The proof of one execution. */
export type ExecutionProof = z.output<typeof executionProof>;
