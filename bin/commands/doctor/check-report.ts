/** The result of one check of `doctor`, with advice where something is to be done. */
export interface CheckReport {
  readonly check: string;
  /** `warning`: the installation works, but an operator should know. */
  readonly state: "ok" | "warning" | "problem";
  readonly says: string;
  readonly todo?: string;
}

/** A check's result before the check's name is added. */
export type CheckResult = Omit<CheckReport, "check">;
