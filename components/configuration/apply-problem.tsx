import { ProblemList } from "@/components/resource/editor/problem-list";
import { Problem, problemsOf } from "@/components/resource/request";

interface ApplyProblemProps {
  error: Error;
  /** What to do when the configuration changed after the plan was made. */
  whenStale?: string;
}

/** Why a document was not planned or applied. */
export function ApplyProblem({ error, whenStale = "Plan again to see the current changes." }: ApplyProblemProps) {
  if (error instanceof Problem && error.code === "stale")
    return (
      <ProblemList
        title={`The configuration changed after this plan was made. ${whenStale}`}
        tone="warn"
        problems={[{ path: "", message: error.message }]}
      />
    );
  return <ProblemList title="Nothing was saved:" tone="deny" problems={problemsOf(error)} />;
}
