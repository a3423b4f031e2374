import { append, listFirst } from "@/lib/access/model/lists";
import { holdersOf, isProfile, mentionsOf, targetWord, type Holder, type Target } from "@/lib/config/references";
import type { FlowFacts } from "@/lib/access/model/flow";
import { AppError, type FieldProblem } from "@/lib/errors";
import { isResourceName, type StoredKind } from "@/lib/resources/kinds";
import { FORM_NAME, FORM_NAME_REFUSED } from "@/lib/resources/parts/words";
import type { RowUser } from "@/lib/contracts/changes/row-plan";
import type { AppliedChange } from "@/lib/store/save/change";
import { brokenScripts } from "@/lib/store/calls/broken-scripts";
import { forbiddenValues, KEY_ADDRESS, RECEIVER_URL, SOURCE_COMMAND } from "@/lib/store/save/forbidden-values";
import { inTurns } from "@/lib/store/db/in-turns";
import { liftedStatuses } from "@/lib/store/save/lifted-statuses";
import { requireAdminLeft } from "@/lib/store/save/last-admin";
import { requireReviewersLeft } from "@/lib/store/save/reviewers-left";
import { newForms } from "@/lib/store/save/new-forms";
import { mismatchedRuns } from "@/lib/store/calls/mismatched-runs";
import type { Stored } from "@/lib/store/save/stored";
import { idOf, tables } from "@/lib/store/config/tables";
import type { Kind } from "@/lib/store/config/values";

/** The form of problem paths: within the one row of the request's body, or `policies[finance].groups[0]`. */
export type PathStyle = "single" | "document";

/** A row that a change deletes or renames. */
interface Gone {
  readonly resource: Kind;
  readonly id: string;
  readonly isRenamed: boolean;
}

/** A row that refers to another. */
interface Referrer extends RowUser {
  readonly resource: Holder;
}

/** A reference to a row that would disappear. */
interface LostReference {
  readonly gone: Gone;
  readonly user: Referrer;
}

/** Most references that one refusal names. */
const MAX_SHOWN = 100;

/** The stored rows with the changes applied. */
class StateAfter {
  readonly #stored: Stored;
  readonly #gone = new Set<string>();
  readonly #there = new Map<string, AppliedChange>();
  readonly #rows = new Map<Kind, ReadonlyMap<string, object>>();

  constructor(stored: Stored, changes: readonly AppliedChange[]) {
    this.#stored = stored;
    for (const change of changes) {
      if (change.before !== null) this.#gone.add(`${change.resource}\n${change.id}`);
    }
    for (const change of changes)
      if (change.after !== null) this.#there.set(`${change.resource}\n${idOf(change.resource, change.after)}`, change);
  }

  async has(kind: Kind, id: string): Promise<boolean> {
    if (this.#there.has(`${kind}\n${id}`)) return true;
    return !this.#gone.has(`${kind}\n${id}`) && (await this.#stored.get(kind, id)) !== null;
  }

  async rows(kind: Kind): Promise<ReadonlyMap<string, object>> {
    const known = this.#rows.get(kind);
    if (known !== undefined) return known;
    const rows = new Map<string, object>();
    for (const [id, row] of await this.#stored.all(kind)) if (!this.#gone.has(`${kind}\n${id}`)) rows.set(id, row);
    for (const { resource, after } of this.#there.values())
      if (resource === kind && after !== null) rows.set(idOf(kind, after), after);
    this.#rows.set(kind, rows);
    return rows;
  }
}

interface CheckOptions {
  readonly needsReviewers?: boolean;
  /** Accepts forms that a save refuses, and a new row of the name `new`: a revert must not fail. */
  readonly takesForms?: boolean;
}

/**
 * Refuses invalid changes, judged on the state after all of them: unknown names (400 with paths), a `run` that does not
 * fit its source, commands and addresses that the operator does not allow, tools that only the drift review may
 * activate, broken scripts, rows still in use (409 naming the users), and the loss of the last admin or reviewer.
 *
 * @throws AppError `invalid_request`, `in_use` or `conflict`
 */
export async function checkChanges(
  stored: Stored,
  changes: readonly AppliedChange[],
  style: PathStyle,
  { needsReviewers = true, takesForms = false }: CheckOptions = {},
): Promise<void> {
  const after = new StateAfter(stored, changes);
  const gone = goneIn(changes);
  const path = (change: AppliedChange, within: string) => pathOf(change, within, style);
  refuse("The change names something that does not exist, or a value that is taken.", [
    ...(await unknownNames(after, changes, gone, style)),
    ...(await duplicateKeys(after, changes, style)),
    ...(takesForms ? [] : await formNames(stored, changes, style)),
  ]);
  refuse("A new value is not accepted.", takesForms ? [] : await newForms(stored, changes, path));
  const rowsAfter = (kind: Kind) => after.rows(kind);
  refuse("A tool does not match the kind of its source.", await mismatchedRuns(changes, rowsAfter, path));
  refuse("A command is not allowed on this installation.", forbiddenValues(SOURCE_COMMAND, changes, path));
  refuse("The address of the signing keys is not allowed.", forbiddenValues(KEY_ADDRESS, changes, path));
  refuse("The address of the webhook may not be reached.", forbiddenValues(RECEIVER_URL, changes, path));
  refuse("A tool waits in the drift review.", await liftedStatuses(stored, changes, path));
  refuse("A script does not compile.", await brokenScripts(changes, path));
  await refuseInUse(after, gone);
  await requireAdminLeft(changes, rowsAfter);
  if (needsReviewers) await requireReviewersLeft(changes, rowsAfter);
}

/** @throws AppError `invalid_request` when there are problems */
function refuse(message: string, errors: readonly FieldProblem[]): void {
  if (errors.length > 0) throw new AppError("invalid_request", message, { errors });
}

/** The path of a problem in a changed row. */
export function pathOf(change: AppliedChange, path: string, style: PathStyle): string {
  if (style === "single") return path;
  const row = `${change.resource}[${change.after === null ? change.id : idOf(change.resource, change.after)}]`;
  return path === "" ? row : `${row}.${path}`;
}

/** The rows whose ids existed before the changes and no longer do. */
function goneIn(changes: readonly AppliedChange[]): Gone[] {
  const there = new Set(
    changes.flatMap(({ resource, after }) => (after === null ? [] : [`${resource}\n${idOf(resource, after)}`])),
  );
  return changes.flatMap(({ resource, before, after, id }) =>
    before !== null && !there.has(`${resource}\n${id}`) ? [{ resource, id, isRenamed: after !== null }] : [],
  );
}

async function unknownNames(
  after: StateAfter,
  changes: readonly AppliedChange[],
  gone: readonly Gone[],
  style: PathStyle,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const leaves = new Set(gone.map(({ resource, id }) => `${resource}\n${id}`));
  const known = new Map<string, boolean>();
  for await (const change of inTurns(changes)) {
    if (change.after === null || !isHolder(change.resource)) continue;
    const row = change.resource === "settings" ? (change.after as { value: unknown }).value : change.after;
    for (const mention of mentionsOf(change.resource, row)) {
      const key = `${mention.to}\n${mention.name}`;
      // A name that this change itself removes is reported as `in use`, which says more than `unknown`.
      if (mention.unknown === "warned" || (leaves.has(key) && change.before !== null)) continue;
      if (!known.has(key)) known.set(key, await exists(after, mention.to, mention.name));
      if (known.get(key) === false)
        problems.push({
          path: pathOf(change, mention.path, style),
          message: `unknown ${targetWord(mention.to)} \`${mention.name}\``,
        });
    }
  }
  return problems;
}

/**
 * Rows that have the name of the form only since these changes. An older version saved such rows: a kind that had one may have
 * it again, because a restore must not fail, nor the approval of its request.
 */
async function formNames(stored: Stored, changes: readonly AppliedChange[], style: PathStyle): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  for (const change of changes) {
    const { resource, id, before, after } = change;
    const isNewName = after !== null && (before === null || id !== FORM_NAME);
    if (!isNewName || !isTarget(resource) || idOf(resource, after) !== FORM_NAME) continue;
    const former = await stored.formerValues(resource, [FORM_NAME]).next();
    if (former.done === true)
      problems.push({ path: pathOf(change, tables[resource].id, style), message: FORM_NAME_REFUSED });
  }
  return problems;
}

async function duplicateKeys(
  after: StateAfter,
  changes: readonly AppliedChange[],
  style: PathStyle,
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = [];
  const holders = new Map<Kind, ReadonlyMap<string, readonly string[]>>();
  for await (const change of inTurns(changes)) {
    const unique = tables[change.resource].unique;
    if (change.after === null || unique === undefined) continue;
    const key = keyOf(change.after, unique);
    if (key === null) continue;
    const known = holders.get(change.resource) ?? (await idsByKey(await after.rows(change.resource), unique));
    holders.set(change.resource, known);
    const own = idOf(change.resource, change.after);
    const { columns } = unique;
    for (const id of known.get(key) ?? [])
      if (id !== own)
        problems.push({
          path: pathOf(change, columns.at(-1) ?? "", style),
          message: `\`${id}\` has the same ${columns.join(" and ")}`,
        });
  }
  return problems;
}

type Unique = NonNullable<StoredKind["unique"]>;

/** The ids of the rows with each unique value. */
async function idsByKey(rows: ReadonlyMap<string, object>, unique: Unique): Promise<ReadonlyMap<string, string[]>> {
  const ids = new Map<string, string[]>();
  for await (const [id, row] of inTurns(rows)) {
    const key = keyOf(row, unique);
    if (key !== null) append(ids, key, id);
  }
  return ids;
}

function keyOf(row: object, { columns, unless }: Unique): string | null {
  if (unless !== undefined && ((row as Record<string, unknown>)[unless] ?? null) !== null) return null;
  const values = columns.map((column) => (row as Record<string, unknown>)[column]);
  return values.some((value) => value === null || value === undefined) ? null : JSON.stringify(values);
}

/** The references to rows that would disappear, in the order of those rows. Reads every holding row once. */
async function usersOf(after: StateAfter, gone: readonly Gone[]): Promise<readonly LostReference[]> {
  const used = new Map(gone.map((one) => [`${one.resource}\n${one.id}`, { gone: one, users: [] as Referrer[] }]));
  const targets = [...new Set(gone.map(({ resource }) => resource))].filter(isTarget);
  for (const holder of new Set(targets.flatMap(holdersOf)))
    for await (const [id, row] of inTurns(await after.rows(holder))) {
      const value = holder === "settings" ? (row as { value: unknown }).value : row;
      for (const { to, name, path } of mentionsOf(holder, value))
        used.get(`${to}\n${name}`)?.users.push({ resource: holder, id, path });
    }
  const renamed = new Set(
    gone.flatMap(({ resource, id, isRenamed }) => (resource === "labels" && isRenamed ? [id] : [])),
  );
  if (renamed.size > 0)
    for await (const [id, row] of inTurns(await after.rows("tools")))
      for (const { word, path } of guessedLabels(row))
        if (renamed.has(word)) used.get(`labels\n${word}`)?.users.push({ resource: "tools", id, path });
  return [...used.values()].flatMap(({ gone: one, users }) => users.map((user) => ({ gone: one, user })));
}

/** The labels that a tool's guess names. A guess prevents the rename of its label, but not its deletion. */
function guessedLabels(tool: FlowFacts): { readonly word: string; readonly path: string }[] {
  const guesses = tool.flowGuess ?? [];
  return guesses.flatMap(({ kind, word }, place) =>
    kind === "raises" ? [{ word, path: `flowGuess[${place}].word` }] : [],
  );
}

/** @throws AppError `in_use` naming every reference to a row that would disappear */
async function refuseInUse(after: StateAfter, gone: readonly Gone[]): Promise<void> {
  const used = await usersOf(after, gone);
  const [first] = used;
  if (first === undefined) return;
  const users = [...new Set(used.filter((one) => one.gone === first.gone).map(({ user }) => nameOf(user)))];
  const shown = used.slice(0, MAX_SHOWN);
  throw new AppError("in_use", `The ${nameOf(first.gone)} is used by ${listFirst(users, 5, String)}.`, {
    errors: shown.map(({ gone: one, user }) => ({
      path: `${user.resource}[${user.id}].${user.path}`,
      message: `${nameOf(user)} uses the ${nameOf(one)}`,
    })),
    extra: { users: shown.map(({ user }) => user) },
  });
}

/** The references that an `in_use` error names; none for any other error. */
export function usersNamed({ code, extra }: AppError): readonly RowUser[] {
  return code === "in_use" ? (extra["users"] as readonly RowUser[]) : [];
}

function nameOf({ resource, id }: { readonly resource: Kind; readonly id: string }): string {
  return resource === "settings" ? "the settings" : `${isTarget(resource) ? targetWord(resource) : resource} \`${id}\``;
}

async function exists(after: StateAfter, target: Target, name: string): Promise<boolean> {
  return target === "profiles" ? isProfile(name) : after.has(target, name);
}

/** Whether rows of a kind can name other rows. */
export function isHolder(kind: Kind): kind is Holder & Kind {
  return kind === "settings" || isResourceName(kind);
}

function isTarget(kind: Kind): kind is Target & Kind {
  return kind === "secrets" || isResourceName(kind);
}
