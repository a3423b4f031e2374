import { canonicalText } from "@/lib/access/model/canonical";
import type { JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import { newFailures } from "@/lib/config/assertions";
import { type ConfigDocument, type FreshRows, type StatedDocument } from "@/lib/config/document";
import { holdTools, lostStatuses } from "@/lib/config/held-tools";
import { hiddenTexts } from "@/lib/config/hidden-texts";
import { mergeInParts } from "@/lib/config/merge";
import { toPlan, warningsInParts, type NamesBeside, type Plan } from "@/lib/config/plan";
import type { DocumentProblem } from "@/lib/config/problems";
import { AppError } from "@/lib/errors";
import type { RowDifference } from "@/lib/contracts/changes/revision-diff";
import { resources } from "@/lib/resources/index";
import { can } from "@/lib/resources/permissions";
import { API_VERSION, CONFIG_SECTIONS, type ConfigSection } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";
import { bulkDb } from "@/lib/store/db/database";
import { Prisma } from "@/lib/store/generated/client";
import { runInTurns } from "@/lib/store/db/in-turns";
import { currentRevision } from "@/lib/store/snapshot/load";
import { Stored } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";
import {
  rehearse,
  write,
  type Actor,
  type AppliedChange,
  type Change,
  type WriteOptions,
} from "@/lib/store/save/write";

/** The complete stored configuration as a document, and its revision. */
interface StoredDocument {
  readonly revision: number;
  readonly document: ConfigDocument;
}

/** Reads the stored configuration as a document: without secrets, people, keys and accepted drift; rows in order of id. */
export async function readDocument(): Promise<StoredDocument> {
  return bulkDb().$transaction(
    async (tx) => ({ revision: await currentRevision(tx), document: await completeDocument(new Stored(tx)) }),
    {
      isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
    },
  );
}

/** A whole document, or one to merge into the stored one. */
type Wanted = ConfigDocument | { readonly merge: StatedDocument; readonly fresh?: FreshRows };

/** Limits of the stages whose length the author of a document chooses: merging, assertions and warnings. */
interface StageLimits {
  /** Milliseconds for each stage; absent = no limit. */
  readonly stageMs?: number;
  /** Ends the work when the caller has left. */
  readonly signal?: AbortSignal;
}

/** The rows that a document changes. */
interface Effect extends Omit<Plan, "errors" | "warnings"> {
  /** The first updated rows, before and after. */
  readonly differences: readonly RowDifference[];
}

/** A plan, and the revision that it is based on. */
interface PlanOnRevision extends Effect, Pick<Plan, "errors" | "warnings"> {
  readonly basis: number;
}

/** The new revision, and what the document changed. */
interface Applied {
  readonly revision: number;
  /** Differs from a plan when somebody saved between the two. */
  readonly effect: Effect;
}

/** Most changed rows that a plan shows before and after. */
const MAX_DIFFERENCES = 200;

/**
 * Computes what applying the document would do, without saving. `errors` lists what would refuse it; `warnings` includes
 * assertions that the document makes fail.
 *
 * @throws AppError `invalid_request` when the merged document is not valid; `request_timeout` when a stage takes too long
 */
export async function planDocument(
  actor: Actor,
  wanted: Wanted,
  { now = Date.now(), ...limits }: StageLimits & { readonly now?: number } = {},
): Promise<PlanOnRevision> {
  const rehearsal = await rehearse(
    actor,
    async (stored) => {
      const current = await completeDocument(stored);
      const { document, held } = await heldDocument(stored, await documentOf(wanted, current, limits));
      const acceptances = [...(await stored.all("drift-acceptances")).values()];
      const names = await namesBeside(stored, actor);
      const beside = { current, document, held, acceptances, names, basis: await stored.revision() };
      return { changes: await changesOf(stored, document), beside };
    },
    { paths: "document" },
  );
  const { changes, errors, beside } = rehearsal;
  const after = { ...beside.current, ...beside.document };
  const changed = { before: beside.current, after };
  const failures = errors.length > 0 ? [] : await runWithin(limits, newFailures(changed, beside.acceptances, now));
  const all = await runWithin(limits, warningsInParts(after, beside.names));
  const found = all.filter(({ path, message }) => !errors.some((one) => one.path === path && one.message === message));
  const warnings = [...beside.held, ...hiddenTexts(beside.document, changes), ...found, ...failures];
  return { ...effectOf(beside.document, changes), errors, warnings, basis: beside.basis };
}

/** The names of the rows that a document names and does not hold; of users only for a person who may read them. */
export async function namesBeside(stored: Stored, { role }: Pick<Actor, "role">): Promise<NamesBeside> {
  const namesOf = async (kind: keyof NamesBeside) => new Set((await stored.all(kind)).keys());
  return { secrets: await namesOf("secrets"), ...(can(role, "people:read") && { users: await namesOf("users") }) };
}

function runWithin<Made>({ stageMs, signal }: StageLimits, stage: Parts<Made>): Promise<Made> {
  return runInTurns(stage, stageMs, signal);
}

function effectOf(document: ConfigDocument, changes: readonly AppliedChange[]): Effect {
  const updates = changes.filter(({ action }) => action === "update").slice(0, MAX_DIFFERENCES);
  return { ...toPlan(document, changes), differences: updates.map(toDifference) };
}

function toDifference({ resource, id, action, before, after }: AppliedChange): RowDifference {
  return { resource, id, action, before: before as RowDifference["before"], after: after as RowDifference["after"] };
}

/**
 * Makes every stated section match the document, in one transaction and one revision. An absent section stays as it is;
 * `[]` empties it. Tools that are quarantined or deprecated keep that status. A document without differences creates no
 * revision.
 *
 * @throws AppError `forbidden` naming sections the role may not change, `invalid_request`, `in_use`, `request_timeout`
 */
export async function applyDocument(
  actor: Actor,
  wanted: Wanted,
  { limits = {}, ...options }: Pick<WriteOptions, "note" | "ifRevision"> & { readonly limits?: StageLimits } = {},
): Promise<Applied> {
  const note = options.note ?? "configuration document";
  let document: ConfigDocument = { apiVersion: API_VERSION };
  const plan = async (stored: Stored) => {
    // Only a merge reads the stored document.
    const stated = "merge" in wanted ? await documentOf(wanted, await completeDocument(stored), limits) : wanted;
    ({ document } = await heldDocument(stored, stated));
    return changesOf(stored, document);
  };
  const { revision, changes } = await write(actor, plan, { ...options, note, paths: "document" });
  return { revision, effect: effectOf(document, changes) };
}

async function documentOf(wanted: Wanted, current: ConfigDocument, limits: StageLimits): Promise<ConfigDocument> {
  if (!("merge" in wanted)) return wanted;
  const merged = await runWithin(limits, mergeInParts(current, wanted.merge, wanted.fresh));
  if (merged.ok) return merged.document;
  throw new AppError("invalid_request", "The document is not valid together with the stored configuration.", {
    errors: merged.errors,
  });
}

/** Keeps statuses and guesses that a document cannot lift, with a warning for each, and for each status that is lost with its tool. */
async function heldDocument(
  stored: Stored,
  document: ConfigDocument,
): Promise<{ readonly document: ConfigDocument; readonly held: readonly DocumentProblem[] }> {
  if (document.tools === undefined) return { document, held: [] };
  const known = await stored.all("tools");
  const { tools, warnings } = holdTools(document.tools, known);
  return { document: { ...document, tools: [...tools] }, held: [...warnings, ...lostStatuses(tools, known)] };
}

/** The deletes, updates and creates that turn the stored rows into the document. */
async function changesOf(stored: Stored, document: ConfigDocument): Promise<Change[]> {
  const changes: Change[] = [];
  for (const section of CONFIG_SECTIONS) {
    const rows = document[section];
    if (rows === undefined) continue;
    changes.push(...sectionChanges(section, await stored.all(section), rows));
  }
  if (document.settings !== undefined) changes.push(...(await settingsChanges(stored, document.settings)));
  return changes;
}

function sectionChanges(
  section: ConfigSection,
  stored: ReadonlyMap<string, unknown>,
  rows: readonly object[],
): Change[] {
  const stated = new Map(rows.map((row) => [String((row as Record<string, unknown>)[resources[section].id]), row]));
  const gone = [...stored.keys()].filter((id) => !stated.has(id));
  return [
    ...gone.map((id) => ({ resource: section, action: "delete", id })),
    ...[...stated].map(([id, after]) =>
      stored.has(id)
        ? { resource: section, action: "update", id, after }
        : { resource: section, action: "create", after },
    ),
  ] as unknown as Change[];
}

/** Settings that were never saved are the defaults. Stating the defaults changes nothing. */
async function settingsChanges(stored: Stored, value: NonNullable<ConfigDocument["settings"]>): Promise<Change[]> {
  const after = { name: "settings", value } as const;
  const row = await stored.get("settings", "settings");
  if (row !== null) return [{ resource: "settings", action: "update", id: "settings", after }];
  const text = (settings: object) => canonicalText(settings as unknown as JsonObject);
  if (text(value) === text(settingsInput.parse({}))) return [];
  return [{ resource: "settings", action: "create", after }];
}

/** All stored rows as a document. Rows that do not parse appear unchanged, so that people can repair them. */
export async function completeDocument(stored: Stored): Promise<ConfigDocument> {
  const settings = await stored.get("settings", "settings");
  const sections: Partial<Record<ConfigSection, object[]>> = {};
  for (const section of CONFIG_SECTIONS)
    sections[section] = [...(await stored.all(section)).values()].map((row) => toValue(section, row));
  return {
    apiVersion: API_VERSION,
    settings: settings?.value ?? settingsInput.parse({}),
    ...sections,
  } as ConfigDocument;
}
