import { ProblemList } from "@/components/resource/editor/problem-list";
import { Problem, problemsOf } from "@/components/resource/request";

interface ApplyProblemProps {
  error: Error;
  /** Whether the failed request was to save the document, not only to plan it. */
  isSave?: boolean;
  /** What to do when the configuration changed after the plan was made. */
  whenStale?: string;
}

/** Why a document was not planned or applied. */
export function ApplyProblem({
  error,
  isSave = false,
  whenStale = "Plan again to see the current changes.",
}: ApplyProblemProps) {
  if (error instanceof Problem && error.code === "stale")
    return (
      <ProblemList
        title={`The configuration changed after this plan was made. ${whenStale}`}
        tone="warn"
        problems={[{ path: "", message: error.message }]}
      />
    );
  // The server may have saved it before the connection broke or a later step failed.
  const isUnclear = isSave && error instanceof Problem && (error.status === 0 || error.status >= 500);
  const title = isUnclear ? "This may be saved. Look at the revisions before you save again:" : "Nothing was saved:";
  return <ProblemList title={title} tone="deny" problems={problemsOf(error)} />;
}
