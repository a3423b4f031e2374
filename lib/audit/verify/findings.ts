import type { FindingKind, SealFinding } from "@/lib/contracts/log/seal";

/** Findings that are told one by one; beyond it they are counted. */
const MOST = 1_000;

/** What a verification found: the first thousand, and how many in all. */
export class Findings {
  readonly first: SealFinding[] = [];
  count = 0;

  /** Adds one; `detail` is a sentence for the auditor. */
  add(kind: FindingKind, seal: number | null, callId: string | null, detail: string): void {
    this.count += 1;
    if (this.first.length < MOST) this.first.push({ kind, seal, callId, detail });
  }
}
