import { ProblemList } from "@/components/resource/editor/problem-list";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** What is suspicious about a machine, in sentences; its graph marks the states. */
export function MachineLint({ warnings }: { warnings: readonly Warning[] }) {
  return <ProblemList title="Worth a look:" tone="warn" problems={warnings} />;
}
