import { ProblemList } from "@/components/resource/editor/problem-list";
import { Problem, problemsOf } from "@/components/resource/request";

/** Why a document was not planned or applied. */
export function ApplyProblem({ error }: { error: Error }) {
  if (error instanceof Problem && error.code === "stale")
    return (
      <ProblemList
        title="The configuration changed after this plan was made. Plan again to see the current changes."
        tone="warn"
        problems={[{ path: "", message: error.message }]}
      />
    );
  return <ProblemList title="Nothing was saved:" tone="deny" problems={problemsOf(error)} />;
}
