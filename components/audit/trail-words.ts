import { ACTION_WORDS } from "@/components/changes/change-words";
import type { Fold } from "@/components/resource/list/list-props";
import type { Tone } from "@/components/ui/badge";
import { append } from "@/lib/access/model/lists";
import type { AuditRow } from "@/lib/contracts/log/audit-trail";
import { AUDIT_ACTIONS } from "@/lib/contracts/log/audit-actions";
import type { CHANGE_ACTIONS } from "@/lib/resources/parts/words";
import { changedName, kindInWords } from "@/lib/contracts/changes/row-words";

/** A kind of entry in words, and the colour of it. */
export const KIND_WORDS: Readonly<Record<AuditRow["kind"], { readonly text: string; readonly tone: Tone }>> = {
  change: { text: "change", tone: "neutral" },
  event: { text: "event", tone: "accent" },
  refusal: { text: "refusal", tone: "deny" },
};

/** The action in words: "read the bodies of a call", "changed access policy". */
export function actionInWords({ action, kind, detail }: Pick<AuditRow, "action" | "kind" | "detail">): string {
  if (kind === "change")
    return `${ACTION_WORDS[action as (typeof CHANGE_ACTIONS)[number]].text} ${kindInWords(detail ?? "")}`;
  return AUDIT_ACTIONS[action as keyof typeof AUDIT_ACTIONS];
}

/** The target as a person knows it. A signing key has no name: its id is a digest. */
export function targetInWords({ kind, target, detail }: Pick<AuditRow, "kind" | "target" | "detail">): string {
  const isSigningKey = kind === "change" && detail === "token-keys";
  return isSigningKey ? changedName({ resource: detail, rowId: target, before: null, after: null }) : target;
}

/** A comparison of rules with the claims of recent callers. */
const COMPARED = "impact.matchers" satisfies AuditRow["action"];

/**
 * Whether a page that shows an impact made the comparison by itself. An afternoon of editing makes dozens of them. The same
 * action also records that a person listed the values in callers' claims: that is not routine.
 */
function isRoutine({ action, detail }: Pick<AuditRow, "action" | "detail">): boolean {
  return action === COMPARED && detail !== "claim values";
}

/** Most names in the label of a fold. */
const MOST_NAMES = 3;

/** What an entry is, where its action alone does not say it. */
export function meaningOf(entry: Pick<AuditRow, "action" | "detail">): string | null {
  if (entry.action !== COMPARED) return null;
  if (!isRoutine(entry)) return "The editor of a rule listed the values that recent callers carried in a claim.";
  return "A page with an impact, or with the callers that see a tool, compared rules with the claims of recent callers. Such reads of one person are counted per minute.";
}

type Foldable = Pick<AuditRow, "id" | "action" | "actor" | "detail" | "at">;

/** Folds routine reads, so that they hide no other entry. */
export function foldsOf<Row extends Foldable>(rows: readonly Row[]): ReadonlyMap<Row, Fold> {
  return new Map([...comparisonFolds(rows), ...argumentFolds(rows)]);
}

/** The action of a person who answers calls: one entry for each waiting call that the list of approvals shows. */
const READ_ARGUMENTS = "approvals.arguments" satisfies AuditRow["action"];

/** The characters of a time up to its hour, `2026-01-02T03`. */
const HOUR_LENGTH = 13;

/** Reads of the arguments of waiting calls, by person and hour. */
function argumentFolds<Row extends Foldable>(rows: readonly Row[]): ReadonlyMap<Row, Fold> {
  const folds = new Map<Row, Fold>();
  const reads = new Map<string, Row[]>();
  for (const row of rows)
    if (row.action === READ_ARGUMENTS)
      append(reads, `${row.actor.kind} ${row.actor.name} ${row.at.slice(0, HOUR_LENGTH)}`, row);
  for (const [id, alike] of reads) {
    if (alike.length < 2) continue;
    for (const row of alike) folds.set(row, { id, label: `${row.actor.name}: ${AUDIT_ACTIONS[READ_ARGUMENTS]}` });
  }
  return folds;
}

/** Comparisons that follow each other. */
function comparisonFolds<Row extends Foldable>(rows: readonly Row[]): ReadonlyMap<Row, Fold> {
  const folds = new Map<Row, Fold>();
  for (let start = 0; start < rows.length; start += 1) {
    let end = start;
    for (let row = rows[end]; row !== undefined && isRoutine(row); row = rows[end]) end += 1;
    const run = rows.slice(start, end);
    if (run.length < 2) continue;
    const names = [...new Set(run.map(({ actor }) => actor.name))];
    const more = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : "";
    const who = names.slice(0, MOST_NAMES).join(", ");
    const fold = { id: run.at(-1)?.id ?? "", label: `${who}${more}: ${AUDIT_ACTIONS[COMPARED]}` };
    for (const row of run) folds.set(row, fold);
    start = end;
  }
  return folds;
}

/** The page of an action's target. Targets of other actions have no page. */
const TARGET_PAGES: Readonly<Partial<Record<AuditRow["action"], string>>> = {
  "executions.bodies": "executions",
  "executions.erased": "executions",
  "sessions.bodies": "sessions",
  "sources.breaker_reset": "sources",
  "tools.tried": "executions",
  "linked_accounts.linked": "sources",
  "linked_accounts.ended": "sources",
  "approvals.arguments": "approvals",
  "approvals.approved": "approvals",
  "approvals.refused": "approvals",
};

/** The address of the change or of the event's target; `null` when it has no page. */
export function targetHref({ action, target, change }: Pick<AuditRow, "action" | "target" | "change">): string | null {
  if (change !== null) return `/admin/changes/${encodeURIComponent(change)}`;
  const page = TARGET_PAGES[action];
  // The bodies of an export are named by the export.
  if (page === undefined || target === "" || (page === "executions" && !target.startsWith("call_"))) return null;
  return `/admin/${page}/${encodeURIComponent(target)}`;
}

/** All entries that share a value. */
export function trailOf(filter: "actor" | "target" | "action", value: string): string {
  return `/admin/audit?${new URLSearchParams({ [filter]: value })}`;
}
