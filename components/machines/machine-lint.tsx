import { ProblemList } from "@/components/resource/editor/problem-list";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** The id of the warnings on the page, for a link to them. */
export const LINT_ID = "machine-warnings";

/** The warnings about a machine in sentences. Its graph marks the states. */
export function MachineLint({ warnings }: { warnings: readonly Warning[] }) {
  // The sentences name their states, and two paths may have the same one.
  const sentences = [...new Set(warnings.map(({ message }) => message))];
  return (
    <div id={LINT_ID} className="empty:hidden">
      <ProblemList title="Warnings" tone="warn" problems={sentences.map((message) => ({ path: "", message }))} />
    </div>
  );
}
