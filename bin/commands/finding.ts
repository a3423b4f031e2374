/** What the doctor looked at, how it stands, and what to do about it where something is to be done. */
export interface Finding {
  readonly check: string;
  /** `warning`: it works, and somebody should know. */
  readonly state: "ok" | "warning" | "problem";
  readonly says: string;
  readonly todo?: string;
}

/** What one look says. */
export type Said = Omit<Finding, "check">;
