import type { ExecutionRow } from "@/lib/contracts/log/execution";

/** Whether a row of the log counts the attempts of a disabled agent, which named no tool. Apart from the row's schema, for pages. */
export function isRefusedAttempts({ asked, code }: Pick<ExecutionRow, "asked" | "code">): boolean {
  return asked === "" && code === "unauthenticated";
}
