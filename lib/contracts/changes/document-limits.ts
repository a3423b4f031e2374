import type { Role } from "@/lib/resources/permissions";

const KIB = 1024;
const MIB = 1024 * KIB;

/** The largest documents that a role may submit, in bytes. */
interface DocumentLimits {
  /** A configuration that is not applied: `config` in preview, comparison and impact. */
  readonly draft: number;
  /** A configuration to apply, and a source's document to import. */
  readonly applied: number;
}

/** Bounds of a body with a draft. The draft may be an object, which a worker thread then processes. */
export const DRAFT_BOUNDS = { values: 200_000, keys: 100_000 };

/** By role. Roles that may change the configuration may submit a larger document than roles that only read it. */
export const DOCUMENT_LIMITS: Readonly<Record<Role, DocumentLimits>> = {
  admin: { draft: MIB, applied: 32 * MIB },
  editor: { draft: MIB, applied: 16 * MIB },
  auditor: { draft: 256 * KIB, applied: 0 },
};
