import type { FindingKind, SealFinding } from "@/lib/contracts/log/seal";

/** The most findings to list; further ones are only counted. */
const MAX_LISTED = 1_000;

/** The findings of a verification: the first thousand, and the number of all. */
export class Findings {
  readonly first: SealFinding[] = [];
  count = 0;

  /** Adds a finding; `detail` is a sentence for the auditor. */
  add(kind: FindingKind, seal: number | null, callId: string | null, detail: string): void {
    this.count += 1;
    if (this.first.length < MAX_LISTED) this.first.push({ kind, seal, callId, detail });
  }
}
