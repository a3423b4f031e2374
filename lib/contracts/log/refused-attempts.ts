import type { ExecutionRow } from "@/lib/contracts/log/execution";

/**
 * Whether a row of the log counts the refused attempts of a disabled agent, which named no tool. It
 * stands in a separate file, so that pages do not load the schema of the row.
 */
export function isRefusedAttempts({ asked, code }: Pick<ExecutionRow, "asked" | "code">): boolean {
  return asked === "" && code === "unauthenticated";
}
