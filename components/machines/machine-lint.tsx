import { ProblemList } from "@/components/resource/editor/problem-list";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** The warnings about a machine in sentences. Its graph marks the states. */
export function MachineLint({ warnings }: { warnings: readonly Warning[] }) {
  return <ProblemList title="Worth a look:" tone="warn" problems={warnings} />;
}
