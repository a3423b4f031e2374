import { newFailures } from "@/lib/config/assertions";
import type { ConfigDocument } from "@/lib/config/document";
import { warningsInParts } from "@/lib/config/plan";
import { mentionsOf } from "@/lib/config/references";
import { AppError } from "@/lib/errors";
import type { ResourceName } from "@/lib/resources/index";
import { CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";
import { assertionWarning } from "@/lib/contracts/changes/assertion-warning";
import type { RowPlan, RowUser, Warning } from "@/lib/contracts/changes/row-plan";
import { runStoredAssertions } from "@/lib/store/save/assertion-run";
import { currentSnapshot, type Snapshot } from "@/lib/store/snapshot/snapshot";
import { completeDocument, namesBeside } from "@/lib/store/save/config-document";
import { db } from "@/lib/store/db/database";
import { runInTurns } from "@/lib/store/db/in-turns";
import { isHolder, type PathStyle } from "@/lib/store/save/check";
import type { Stored } from "@/lib/store/save/stored";
import { idOf } from "@/lib/store/config/tables";
import type { Value } from "@/lib/store/config/values";
import { verdictInWords } from "@/lib/contracts/changes/verdict-words";
import { can } from "@/lib/resources/permissions";
import { requiresSecondPerson } from "@/lib/store/requests/requires-second-person";
import { foreseeReview } from "@/lib/store/save/review-gate";
import { createdDisabled } from "@/lib/store/save/review-mode";
import { rehearse, type Actor, type AppliedChange, type Change } from "@/lib/store/save/write";

/** The effect of changes: the changes themselves, errors that refuse them, and warnings. */
interface ChangesPlan extends RowPlan {
  readonly changes: readonly AppliedChange[];
}

/**
 * Computes what saving one row, or the settings, would do, without saving: errors, warnings about the row, and assertions
 * that the save makes fail. Assertions run for rows of the document: settings, keys, tokens and people have no warnings here.
 *
 * @param plan the change, as `write` takes it
 * @throws AppError errors of the plan itself: `not_found`, `stale`; `conflict` for a name that is in use
 */
export async function planRow(
  actor: Actor,
  resource: ResourceName | "settings",
  plan: (stored: Stored) => readonly Change[] | Promise<readonly Change[]>,
  now = Date.now(),
): Promise<RowPlan> {
  const { changes: _changes, ...planned } = await planChanges(actor, resource, plan, "single", now);
  return planned;
}

/** Like `planRow`, for changes of any number of rows of one resource. */
export async function planChanges(
  actor: Actor,
  resource: ResourceName | "settings",
  plan: (stored: Stored) => readonly Change[] | Promise<readonly Change[]>,
  paths: PathStyle = "document",
  now = Date.now(),
): Promise<ChangesPlan> {
  const planned = async (stored: Stored) => {
    const requested = await plan(stored);
    const beside = isSection(resource)
      ? {
          requested,
          document: await completeDocument(stored),
          acceptances: [...(await stored.all("drift-acceptances")).values()],
          names: await namesBeside(stored, actor),
        }
      : null;
    return { changes: requested, beside };
  };
  const { changes, errors, users, beside } = await rehearse(actor, planned, { paths });
  if (errors.length > 0) return { changes, errors: [...errors], users: [...users], warnings: [], review: null };
  const { review, warnings } = await reviewOf(actor, changes);
  if (beside === null) return { changes, errors: [], users: [...users], warnings, review };
  const after = withChanges(beside.document, changes);
  const followers = renamedIn(beside.requested);
  // A row that the save would not change still gets its warnings.
  const own = new Set(
    beside.requested.flatMap((change) =>
      change.action === "delete" ? [] : [`${change.resource}[${idOf(change.resource, change.after)}]`],
    ),
  );
  for (const { resource: of, id } of followers) own.delete(`${of}[${id}]`);
  const lint = (await runInTurns(warningsInParts(after, beside.names, own))).filter(({ path }) =>
    own.has(path.slice(0, path.indexOf("]") + 1)),
  );
  const failures = await runInTurns(newFailures({ before: beside.document, after }, beside.acceptances, now));
  return { changes, errors: [], users: followers, warnings: [...lint, ...failures], review };
}

/** Why the changes would wait. A new credential does not wait: the writer creates it disabled, as a warning says. */
async function reviewOf(
  actor: Actor,
  changes: readonly AppliedChange[],
): Promise<Pick<RowPlan, "review" | "warnings">> {
  const verdict = await foreseeReview(actor, changes);
  if (verdict === null) return { review: null, warnings: [] };
  const disabled = changes.map(createdDisabled);
  if (disabled.every((message) => message !== null))
    return { review: null, warnings: disabled.map((message) => ({ path: "", message })) };
  const isAlwaysReviewed = changes.some(
    (change) => requiresSecondPerson(change) || Object.keys(change.secret).length > 0,
  );
  const mayBypass = actor.kind === "user" && can(actor.role, "changes:bypass") && !isAlwaysReviewed;
  return { review: { sentence: verdictInWords(verdict), mayBypass }, warnings: [] };
}

/** The rows to which a rename gives the new name: the changes after the rename itself (lib/store/save/follow-rename.ts). */
function renamedIn([renamed, ...followers]: readonly Change[]): RowUser[] {
  if (renamed?.action !== "update" || idOf(renamed.resource, renamed.after) === renamed.id) return [];
  const name = idOf(renamed.resource, renamed.after);
  return followers.flatMap((follower) => {
    if (follower.action !== "update" || !isHolder(follower.resource)) return [];
    const { resource, id, after } = follower;
    const row = resource === "settings" ? (after as Value<"settings">).value : after;
    const mention = mentionsOf(resource, row).find((one) => one.to === renamed.resource && one.name === name);
    return mention === undefined ? [] : [{ resource, id, path: mention.path }];
  });
}

/**
 * Saves, then runs the assertions. The warnings name those that the save makes fail: problems from before it are left out,
 * except after a save of assertions. The row stays saved in any case; an error of the run becomes a warning.
 */
export async function saveWithAssertions<T>(
  resource: ResourceName,
  save: () => Promise<T>,
  now = Date.now(),
): Promise<{ saved: T; warnings: Warning[] }> {
  if (!isSection(resource)) return { saved: await save(), warnings: [] };
  const before = await snapshotForAssertions();
  const saved = await save();
  return { saved, warnings: await failingSince(resource, before, now) };
}

/**
 * The configuration in force. `null` without assertions, so that a save does not make the app load it. Also `null` when it
 * cannot be loaded, which must not block the save that mends it.
 */
async function snapshotForAssertions(): Promise<Snapshot | null> {
  return (await db().assertion.count()) === 0 ? null : currentSnapshot().catch(() => null);
}

async function failingSince(section: ConfigSection, before: Snapshot | null, now: number): Promise<Warning[]> {
  try {
    if ((await db().assertion.count()) === 0) return [];
    const { results, revision } = await runStoredAssertions({}, now);
    const failed = results.filter(({ passed }) => !passed);
    if (failed.length === 0 || revision === before?.revision) return [];
    const names = failed.map(({ name }) => name);
    const hasBefore = before !== null && section !== "assertions";
    const { results: earlier } = hasBefore ? await runStoredAssertions({ names }, now, before) : { results: [] };
    const known = new Map(earlier.map(({ name, problems }) => [name, new Set(problems)]));
    return failed.flatMap(({ name, problems }) => {
      const gained = problems.filter((problem) => known.get(name)?.has(problem) !== true);
      return gained.length === 0 ? [] : [assertionWarning({ name, problems: gained }, "fails")];
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ path: "assertions", message: `saved, but the assertions could not be run: ${error.message}` }];
  }
}

function isSection(resource: string): resource is ConfigSection {
  return (CONFIG_SECTIONS as readonly string[]).includes(resource);
}

function withChanges(document: ConfigDocument, changes: readonly AppliedChange[]): ConfigDocument {
  const after: Record<string, unknown> = { ...document };
  for (const resource of new Set(changes.map((change) => change.resource).filter(isSection))) {
    const own = changes.filter((change) => change.resource === resource);
    const gone = new Set(own.map(({ id }) => id));
    const others = ((after[resource] ?? []) as object[]).filter((row) => !gone.has(idOf(resource, row)));
    after[resource] = [...others, ...own.flatMap((change) => (change.after === null ? [] : [change.after]))];
  }
  for (const { resource, after: row } of changes)
    if (resource === "settings" && row !== null) after[resource] = (row as Value<"settings">).value;
  return after as unknown as ConfigDocument;
}
