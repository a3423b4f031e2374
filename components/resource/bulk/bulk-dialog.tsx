import { FlowImpact, GUESS_NOTE } from "@/components/flow/flow-impact";
import { guessText } from "@/components/flow/guess-words";
import { counted } from "@/components/ui/counted";
import { useState, type ReactNode } from "react";
import { ImpactCallers } from "@/components/impact/impact-callers";
import { ImpactCalls } from "@/components/impact/impact-calls";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { ProblemList } from "@/components/resource/editor/problem-list";
import { Problem, problemsOf } from "@/components/resource/request";
import { RequiredReason } from "@/components/resource/remove/required-reason";
import { useBulk, useBulkPlan } from "@/components/resource/bulk/use-bulk";
import { ReviewReason } from "@/components/resource/review/review-reason";
import { useTypedNames, withDefaultGroup } from "@/components/resource/use-names";
import type { BulkChangeAction } from "@/components/resource/view";
import { Chips } from "@/components/ui/forms/combobox";
import { ActionDialog } from "@/components/ui/overlays/action-dialog";
import { Field } from "@/components/ui/forms/field";
import type { FlowGuess } from "@/lib/access/model/flow";
import type { ConfigSection } from "@/lib/resources/sections";
import type { BulkChange, BulkInput, BulkOutput } from "@/lib/contracts/changes/bulk";

interface BulkDialogProps {
  section: ConfigSection;
  words: readonly [string, string];
  action: BulkChangeAction;
  rows: BulkInput["rows"];
  count: number;
  onClose: () => void;
  onDone: () => void;
}

/** Asks for missing values, shows the effect of the change, and runs it. */
export function BulkDialog({ section, words, action, rows, count, onClose, onDone }: BulkDialogProps) {
  const [values, setValues] = useState<readonly string[]>([]);
  const [reason, setReason] = useState("");
  const [reviewReason, setReviewReason] = useState("");
  const asksReason = "asksReason" in action && action.asksReason === true;
  const change = changeOf(action, values);
  // All selected rows may leave the list while the dialog is open. It stays, because it may hold typed text.
  const body = change === null || count === 0 ? null : { rows, change };
  const { planned, outdated, refusals, isReady, isPending, run } = usePlannedBulk({ section, words, body, onDone });
  const [one, many] = words;
  const countedRows = (number: number) => counted(number, one, many);
  const deletes = change?.kind === "delete";
  return (
    <ActionDialog
      size="lg"
      title={`${action.label}: ${countedRows(count)}`}
      description="Saves all rows as one revision. If one row fails, none is saved."
      action={
        planned !== null && planned.review !== null
          ? "Request review"
          : `${deletes ? "Delete" : "Change"} ${planned === null ? many : countedRows(planned.changing)}`
      }
      tone={deletes ? "danger" : "primary"}
      disabled={!isReady || refusals.length > 0 || (asksReason && reason.trim() === "")}
      pending={isPending}
      onAct={() => run(reason.trim(), reviewReason.trim())}
      onClose={onClose}
    >
      {"asks" in action && <Values action={action} values={values} onChange={setValues} />}
      {asksReason && <RequiredReason value={reason} onChange={setReason} />}
      {outdated && <Note>The configuration changed in the meantime, and nothing was saved. Review the new plan:</Note>}
      {count === 0 && !isPending && <Note>The selected {many} left the list, so there is nothing to change.</Note>}
      <ProblemList title="This change is refused:" tone="deny" problems={refusals} />
      {body !== null &&
        refusals.length === 0 &&
        (planned === null ? (
          <Working>Checking {countedRows(count)} and the affected callers…</Working>
        ) : isPending ? (
          <Working>
            {deletes ? "Deleting" : "Changing"} {countedRows(planned.changing)}…
          </Working>
        ) : (
          <>
            <Plan kind={body.change.kind} of={rows} plan={planned} countedRows={countedRows} />
            {planned.review !== null && (
              <ReviewReason
                review={{ ...planned.review, mayBypass: false }}
                reason={reviewReason}
                onReason={setReviewReason}
              />
            )}
          </>
        ))}
    </ActionDialog>
  );
}

interface PlannedBulk extends Pick<BulkDialogProps, "section" | "words" | "onDone"> {
  /** `null` = a value is missing. */
  body: BulkInput | null;
}

/** The plan of a change of many rows, and its run at exactly the planned revision. */
function usePlannedBulk({ section, words, body, onDone }: PlannedBulk) {
  const plan = useBulkPlan(section, body);
  const bulk = useBulk(section, words, onDone);
  const planned = plan.data ?? null;
  // An outdated plan is fetched again. The person can run it after seeing it.
  const outdated = bulk.error instanceof Problem && bulk.error.code === "stale";
  const error = plan.error ?? (outdated ? null : bulk.error);
  return {
    planned,
    outdated,
    refusals: error === null ? (planned?.errors ?? []) : problemsOf(error),
    isReady: planned !== null && planned.errors.length === 0 && planned.changing > 0 && !plan.isFetching,
    isPending: bulk.isPending,
    run: (disabledReason: string, reason: string) => {
      if (body !== null && planned !== null) bulk.mutate({ body: withReason(body, disabledReason), planned, reason });
    },
  };
}

function Values({
  action,
  values,
  onChange,
}: {
  action: Extract<BulkChangeAction, { asks: string }>;
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const { picker } = useTypedNames(action.names ?? "groups");
  const options = action.names === "groups" ? withDefaultGroup(picker.options) : picker.options;
  return (
    <Field label={action.asks}>
      <Chips
        value={values}
        onChange={onChange}
        {...(action.names === undefined ? { options: [] } : { ...picker, options })}
        creatable={action.names === undefined}
        empty={picker.empty ?? action.empty}
      />
    </Field>
  );
}

function Note({ children }: { children: ReactNode }) {
  return (
    <p role="status" className="text-sm text-warn">
      {children}
    </p>
  );
}

/** The change is one transaction, so there is no partial progress to show. */
function Working({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex flex-col gap-3 py-8 text-center text-sm text-muted tabular-nums">
      <p>{children}</p>
      <progress aria-label="Working" className="mx-auto h-1.5 w-64" />
    </div>
  );
}

interface PlanProps {
  kind: BulkChange["kind"];
  /** The rows that the change selects. */
  of: BulkInput["rows"];
  plan: BulkOutput;
  countedRows: (number: number) => string;
}

function Plan({ kind, of, plan, countedRows }: PlanProps) {
  const { changing, rows, warnings, impact } = plan;
  return (
    <>
      <p className="text-sm">{effectText(kind, plan, countedRows)}</p>
      {rows.length > 0 && (
        <ul
          aria-label="Changes"
          className="flex max-h-44 flex-col overflow-y-auto rounded-lg border border-line"
          tabIndex={0}
        >
          {rows.map(({ id, before, after }) => (
            <li key={id} className="flex items-center gap-3 border-b border-line px-3 py-1 text-xs last:border-b-0">
              <span className="min-w-0 flex-1 truncate font-mono">{id}</span>
              {before !== after && (
                <span className="min-w-0 truncate text-muted">
                  {inWords(before)} → <span className="text-ink">{inWords(after)}</span>
                </span>
              )}
            </li>
          ))}
          {changing > rows.length && (
            <li className="px-3 py-1 text-xs text-faint">and {(changing - rows.length).toLocaleString("en")} more</li>
          )}
        </ul>
      )}
      <PlanWarnings title="Warnings" warnings={warnings} />
      {impact !== null && (
        <section aria-label="Impact" className="flex flex-col rounded-lg border border-line bg-panel">
          <h3 className="border-b border-line px-3 py-2 text-sm font-semibold">Affected callers</h3>
          {impact.callers.length === 0 ? (
            <p className="px-3 py-2 text-xs text-muted">There are no agents, recent callers or personas to check.</p>
          ) : (
            <ImpactCallers callers={impact.callers} />
          )}
          <ImpactCalls calls={impact.calls} />
        </section>
      )}
      {kind === "guess_flow" && changing > 0 && <FlowImpact change={{ guess: of }} note={GUESS_NOTE} />}
    </>
  );
}

/** How many rows change, and why the others do not. */
function effectText(
  kind: BulkChange["kind"],
  { matching, changing }: BulkOutput,
  countedRows: PlanProps["countedRows"],
): string {
  if (kind === "guess_flow" && changing === 0)
    return "Nothing to guess: these tools state their flow, have a guess, or were not imported.";
  if (kind === "guess_flow")
    return `${countedRows(changing)} will get a guess, which flow rules apply to at once. Other tools state their flow, have a guess, or were not imported. The affected callers are counted with the labels that they have held, the past calls with those that the guesses add.`;
  const same = matching - changing;
  if (changing === 0)
    return `Nothing to change: ${countedRows(matching)} already ${matching === 1 ? "has" : "have"} this value.`;
  const unchanged = ` ${same.toLocaleString("en")} already ${same === 1 ? "has" : "have"} this value.`;
  return `${countedRows(changing)} will change.${same > 0 ? unchanged : ""}`;
}

function changeOf(action: BulkChangeAction, values: readonly string[]): BulkChange | null {
  if ("change" in action) return action.change;
  return values.length === 0 ? null : { kind: action.kind, field: action.field, values: [...values] };
}

/** The plan does not depend on the reason, so it is not made again while the reason is typed. */
function withReason(body: BulkInput, reason: string): BulkInput {
  return body.change.kind === "set" && reason !== "" ? { ...body, change: { ...body.change, reason } } : body;
}

/** A value in words: `on`, `none`, `a, b`; guesses as `raises private, outward`. */
function inWords(value: unknown): string {
  if (value === true) return "on";
  if (value === false) return "off";
  if (value === null) return "not set";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(elementText).join(", ");
  return String(value);
}

function elementText(element: unknown): string {
  return typeof element === "object" ? guessText(element as FlowGuess) : String(element);
}
