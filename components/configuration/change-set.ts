import { changesOf } from "@/components/resource/editor/changes";
import { validate } from "@/components/resource/editor/validate";
import { useChangeRemembered, useRemembered } from "@/components/resource/remembered";
import { isObject } from "@/lib/access/model/json";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { fieldInWords } from "@/lib/contracts/changes/row-words";
import { isResourceName, KINDS } from "@/lib/resources/kinds";
import { isConfigSection, type ConfigSection } from "@/lib/resources/sections";

/** The tab of the configuration page that shows the change set. */
export const CHANGE_SET_PAGE = "/admin/configuration?tab=change-set";

type Fields = Readonly<Record<string, unknown>>;

/** The edit of one row, which a person saves later, together with others. */
export interface StagedEdit {
  readonly resource: ConfigSection;
  /** The row's name. An edit never changes it. */
  readonly id: string;
  readonly isNew: boolean;
  /** The stored values of the fields in `after`; `{}` for a new row. */
  readonly before: Fields;
  /** The changed fields and those that every document must state; of a new row, all fields. */
  readonly after: Fields;
}

/** A plan describes at most so many changed rows. */
const MAX_EDITS = 200;

/** The person's change set: edits that this browser keeps until they are saved in one revision. */
export function useChangeSet() {
  const [edits] = useRemembered("change-set", readEdits);
  const change = useChangeRemembered();
  const update = (next: (before: readonly StagedEdit[]) => readonly StagedEdit[]) =>
    change("change-set", readEdits, next);
  return {
    edits,
    /** Adds an edit, in place of an earlier one of the same row. `false`: this browser cannot store it. */
    add: (edit: StagedEdit) => edits.length < MAX_EDITS && update((before) => [...without(before, edit), edit]),
    remove: (edit: StagedEdit) => update((before) => without(before, edit)),
    replace: (next: readonly StagedEdit[]) => update(() => next),
  };
}

function without(edits: readonly StagedEdit[], { resource, id }: StagedEdit): readonly StagedEdit[] {
  return edits.filter((edit) => edit.resource !== resource || edit.id !== id);
}

function readEdits(stored: unknown): readonly StagedEdit[] {
  return Array.isArray(stored) ? stored.filter(isEdit) : NO_EDITS;
}

const NO_EDITS: readonly StagedEdit[] = [];

function isEdit(value: unknown): value is StagedEdit {
  if (!isObject(value)) return false;
  const { resource, id, before, after } = value;
  if (typeof resource !== "string" || !isResourceName(resource) || !isConfigSection(resource)) return false;
  return typeof id === "string" && isObject(before) && isObject(after);
}

/** The edit from a stored row to a draft. States as few fields as possible, so that other people's changes stay. */
export async function toEdit(resource: ConfigSection, id: string, stored: object, draft: object): Promise<StagedEdit> {
  const value = draft as Fields;
  const stated = new Set([KINDS[resource].id, ...changesOf(stored, draft).map(({ field }) => field)]);
  for (;;) {
    // The schema names the missing fields; its rules between fields are checked only when none is missing.
    const problems = await validate(resource, pick(value, stated));
    const missing = problems.map(({ path }) => path.split(/[.[]/)[0] ?? "").filter((field) => !stated.has(field));
    const known = missing.filter((field) => field in value);
    for (const field of known) stated.add(field);
    if (problems.length === 0) break;
    if (known.length > 0) continue;
    for (const field of Object.keys(value)) stated.add(field);
    break;
  }
  return { resource, id, isNew: false, before: pick(stored as Fields, stated), after: pick(value, stated) };
}

function pick(value: Fields, fields: ReadonlySet<string>): Fields {
  return Object.fromEntries(Object.entries(value).filter(([field]) => fields.has(field)));
}

/** The edits as a configuration document to merge, in JSON. */
export function toDocument(edits: readonly StagedEdit[]): string {
  const sections: Partial<Record<ConfigSection, Fields[]>> = {};
  for (const { resource, after } of edits) (sections[resource] ??= []).push(after);
  return JSON.stringify({ apiVersion: "quartermaster/v1", ...sections });
}

/** What other people changed since the edits were made, and the plan would undo. */
export function conflictsOf(edits: readonly StagedEdit[], { sections, differences }: ConfigPlan): readonly string[] {
  return edits.flatMap((edit) => {
    const { resource, id, isNew, before } = edit;
    const name = `${KINDS[resource].words[0]} \`${id}\``;
    const planned = sections[resource];
    if (isNew) return planned?.changed.includes(id) === true ? [`The ${name} exists meanwhile. This changes it.`] : [];
    if (planned?.created.includes(id) === true)
      return [`The ${name} was deleted or renamed meanwhile. This creates it again.`];
    const found = differences.find((one) => one.resource === resource && one.id === id)?.before;
    if (!isObject(found)) return [];
    const fields = changesOf(before, pick(found, new Set(Object.keys(before)))).map(({ field }) => fieldInWords(field));
    return fields.length === 0 ? [] : [`The ${name} was changed meanwhile: this replaces its ${fields.join(", ")}.`];
  });
}
