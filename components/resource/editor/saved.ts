import { problemInWords } from "@/components/executions/reason-words";
import { toast } from "@/components/ui/overlays/toast";
import { readAssertionWarning } from "@/lib/contracts/changes/assertion-warning";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** A saved row, with the warnings of the save. */
export type Saved<T> = T & { readonly warnings?: readonly Warning[] };

/** Names the assertions that fail after a save. The path `assertions` says that they could not be run. */
export function showWarnings(warnings: readonly Warning[] = []): void {
  if (warnings.length === 0) return;
  toast({
    title: `Saved, but ${problemOf(warnings)}`,
    description: warnings.slice(0, 3).map(sentenceOf).join(" "),
    tone: "warned",
  });
}

function sentenceOf(warning: Warning): string {
  const failing = readAssertionWarning(warning);
  return failing === null ? warning.message : `“${failing.name}”: ${failing.problems.map(problemInWords).join("; ")}.`;
}

function problemOf(warnings: readonly Warning[]): string {
  if (warnings.some(({ path }) => path === "assertions")) return "the assertions were not run";
  return warnings.length === 1 ? "one assertion fails" : `${warnings.length} assertions fail`;
}
