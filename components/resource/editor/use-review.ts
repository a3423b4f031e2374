import { useRef, useState } from "react";
import type { DraftControl } from "@/components/resource/editor/draft";
import { PLAINLY, type SaveHow } from "@/components/resource/editor/follow-request";
import { NO_PLAN } from "@/components/resource/editor/use-row-plan";
import { forgetOpener } from "@/components/ui/to-content";
import type { RowPlan } from "@/lib/contracts/changes/row-plan";
import type { FieldProblem } from "@/lib/errors";

interface Reviewed<T> {
  readonly control: DraftControl<T>;
  /** Checks the draft by its schema. */
  readonly validate: () => Promise<readonly FieldProblem[]>;
  /** Fetches the server's errors and warnings. Saves nothing. */
  readonly plan: () => Promise<RowPlan>;
  readonly save: {
    readonly run: (how: SaveHow, onSettled: (saved: unknown) => void) => void;
    /** Receives the failure of a check. */
    readonly refuse: (error: Error) => void;
  };
}

/**
 * The steps between a draft and its save: the check by schema and server, and the review. The form is frozen during the
 * check. When the review closes, the field gets the focus back.
 */
export function useReview<T>({ control, validate, plan: planSave, save }: Reviewed<T>) {
  // Until the first check, a field alone shows its problem: a summary would move the form while somebody types.
  const [hasChecked, setHasChecked] = useState(false);
  const [checking, setChecking] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const openedFrom = useRef<Element | null>(null);
  const [plan, setPlan] = useState(NO_PLAN);
  const duringCheck = (check: () => Promise<void>) => {
    setHasChecked(true);
    setChecking(true);
    void check()
      .catch((error: unknown) => save.refuse(error instanceof Error ? error : new Error(String(error))))
      .finally(() => setChecking(false));
  };
  const isValid = async () => {
    const problems = await validate();
    control.setProblems(problems);
    return problems.length === 0 && !control.isBlocked;
  };
  const run = (how: SaveHow) =>
    save.run(how, (saved) => {
      if (saved !== undefined) forgetOpener(openedFrom);
      setReviewing(false);
    });
  /** Collects the schema's problems, and then the server's errors and warnings, before anything is saved. */
  const check = async () => {
    // Without the schema, which may fail to load, only the server checks.
    if (!(await isValid().catch(() => !control.isBlocked))) return;
    const planned = await planSave();
    control.setProblems(planned.errors);
    setPlan(planned);
    if (planned.errors.length > 0) return;
    if (control.draft.isNew && planned.warnings.length === 0 && planned.review === null) run(PLAINLY);
    else setReviewing(true);
  };
  return {
    problems: hasChecked ? control.problems : [],
    checking,
    review: (from: Element | null) => {
      openedFrom.current = from;
      duringCheck(check);
    },
    dialog: {
      open: reviewing && control.problems.length === 0,
      onOpenChange: setReviewing,
      openedFrom,
      followers: plan.users,
      warnings: plan.warnings,
      waits: plan.review,
      onSave: run,
    },
    /** Calls `next` if the schema accepts the draft; else shows the draft's problems. */
    ifValid: (next: () => void) =>
      duringCheck(async () => {
        if (await isValid()) next();
      }),
  };
}
