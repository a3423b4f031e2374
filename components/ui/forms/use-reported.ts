import { useEffectEvent, useLayoutEffect } from "react";

/** Reports a field's problem to the form around it, and withdraws it when the field disappears: nobody could solve it then. */
export function useReported(problem: string | null, report: (problem: string | null) => void): void {
  const onProblem = useEffectEvent(report);
  // Before the next event: a save that follows at once must not see a problem that is gone.
  useLayoutEffect(() => {
    if (problem === null) return;
    onProblem(problem);
    return () => onProblem(null);
  }, [problem]);
}
