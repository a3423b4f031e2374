import type { DefectKind, LogDefect } from "@/lib/contracts/log/seal";

/** The most defects to list; further ones are only counted. */
const MAX_LISTED = 1_000;

/** The defects of a verification: the first thousand, and the number of all. */
export class Defects {
  readonly first: LogDefect[] = [];
  count = 0;

  /** Adds a defect; `detail` is a sentence for the auditor. */
  add(kind: DefectKind, seal: number | null, callId: string | null, detail: string): void {
    this.count += 1;
    if (this.first.length < MAX_LISTED) this.first.push({ kind, seal, callId, detail });
  }
}
