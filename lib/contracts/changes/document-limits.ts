import type { Role } from "@/lib/resources/permissions";

const KIB = 1024;
const MIB = 1024 * KIB;

/** Largest documents that a role may have worked through, in bytes. */
interface DocumentLimits {
  /** A configuration that is only looked at: `config` in preview, comparison and impact. */
  readonly draft: number;
  /** A configuration that is applied, and a source's document that is imported. */
  readonly applied: number;
}

/** What a body with a draft may hold: the draft may be written as an object, which a thread then works through. */
export const DRAFT_BOUNDS = { values: 200_000, keys: 100_000 };

/** By role. Who may change the configuration may bring a larger document than who only reads it. */
export const DOCUMENT_LIMITS: Readonly<Record<Role, DocumentLimits>> = {
  admin: { draft: MIB, applied: 32 * MIB },
  editor: { draft: MIB, applied: 16 * MIB },
  auditor: { draft: 256 * KIB, applied: 0 },
};
