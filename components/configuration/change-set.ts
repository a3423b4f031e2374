import { changesOf, same } from "@/components/resource/editor/changes";
import { useChangeRemembered, useRemembered } from "@/components/resource/remembered";
import { useCan } from "@/components/resource/who";
import { isObject } from "@/lib/access/model/json";
import type { ConfigPlan } from "@/lib/contracts/changes/config";
import { fieldInWords } from "@/lib/contracts/changes/row-words";
import { isResourceName, KINDS, type ResourceName } from "@/lib/resources/kinds";
import { API_VERSION, isConfigSection, type ConfigSection } from "@/lib/resources/sections";

/** The tab of the configuration page that shows the change set. */
export const CHANGE_SET_PAGE = "/admin/configuration?tab=change-set";

type Fields = Readonly<Record<string, unknown>>;

/** The edit of one row, which a person saves later, together with others. */
export interface StagedEdit {
  readonly resource: ConfigSection;
  /** The row's name. An edit never changes it. */
  readonly id: string;
  readonly isNew: boolean;
  /** The changed fields as they were stored; `{}` for a new row. */
  readonly before: Fields;
  /** The changed fields as they will be; all fields of a new row. */
  readonly after: Fields;
}

/** A plan describes at most so many changed rows. */
const MAX_EDITS = 200;

const NAME = "change-set";

/**
 * The person's change set: edits that this browser keeps until they are saved in one revision. Without edits for a person
 * who may no longer save them.
 */
export function useChangeSet() {
  const [stored] = useRemembered(NAME, readEdits);
  const edits = useCan("configuration:write") ? stored : NO_EDITS;
  const change = useChangeRemembered();
  return {
    edits,
    /**
     * Adds the edit of a form that began with `start`. Joins it to another edit of the same row, such as that of another
     * tab. Returns why that is not possible; `null` when the edit is added.
     */
    add: (edit: StagedEdit, start: StagedEdit | null): string | null => {
      let problem: string | null = null;
      const isStored = change(NAME, readEdits, (all) => {
        const others = start === null ? all : all.filter((one) => !same(one, start));
        const known = others.find((one) => isSameRow(one, edit));
        problem = problemOf(edit, others, known);
        if (problem !== null) return all;
        return [...others.filter((one) => one !== known), known === undefined ? edit : joined(known, edit)];
      });
      return problem ?? (isStored ? null : "This browser does not store it. Review and save it now.");
    },
    /** Removes edits, unless another tab changed them meanwhile. Returns those that it removed. */
    remove: (gone: readonly StagedEdit[]): readonly StagedEdit[] => {
      let removed = NO_EDITS;
      change(NAME, readEdits, (all) => {
        removed = all.filter((one) => gone.some((edit) => same(one, edit)));
        return all.filter((one) => !removed.includes(one));
      });
      return removed;
    },
    /** Puts removed edits back, except where the row has another one now. */
    putBack: (gone: readonly StagedEdit[]) =>
      change(NAME, readEdits, (all) => [...all, ...gone.filter((edit) => !all.some((one) => isSameRow(one, edit)))]),
  };
}

/** The edit of a row in the change set; `null` when there is none. */
export function useStagedEdit(resource: ResourceName, id: string | null): StagedEdit | null {
  return useChangeSet().edits.find((edit) => edit.resource === resource && edit.id === id) ?? null;
}

function problemOf(edit: StagedEdit, others: readonly StagedEdit[], known: StagedEdit | undefined): string | null {
  const [word] = KINDS[edit.resource].words;
  if (known === undefined)
    return others.length < MAX_EDITS ? null : `It has ${MAX_EDITS} edits already. Save or remove some first.`;
  return edit.isNew ? `It has an edit of the ${word} ${edit.id} already. Choose another name.` : null;
}

function joined(known: StagedEdit, edit: StagedEdit): StagedEdit {
  return {
    ...edit,
    isNew: known.isNew,
    before: { ...known.before, ...withFirstBefore(edit, known).before },
    after: { ...known.after, ...edit.after },
  };
}

type RowKey = Pick<StagedEdit, "resource" | "id">;

/** Whether two edits are of one row. */
export function isSameRow(one: RowKey, other: RowKey): boolean {
  return one.resource === other.resource && one.id === other.id;
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

/** The edit from a stored row to a draft. */
export function toEdit(resource: ConfigSection, id: string, stored: object, draft: object): StagedEdit {
  const changed = changesOf(stored, draft);
  const fields = (side: "before" | "after") => Object.fromEntries(changed.map((one) => [one.field, one[side]]));
  return { resource, id, isNew: false, before: fields("before"), after: fields("after") };
}

/**
 * The edit with the stored values that `earlier` began from, where both set a field to the same value. Another person may
 * have changed such a field meanwhile, and the save must still say so.
 */
export function withFirstBefore(edit: StagedEdit, earlier: StagedEdit | null): StagedEdit {
  const kept = Object.entries(earlier?.before ?? {}).filter(
    ([field]) => field in edit.after && same(edit.after[field], earlier?.after[field]),
  );
  return { ...edit, before: { ...edit.before, ...Object.fromEntries(kept) } };
}

/** The edits as a configuration document to merge, in JSON. */
export function toDocument(edits: readonly StagedEdit[]): string {
  const sections: Partial<Record<ConfigSection, Fields[]>> = {};
  for (const { resource, id, after } of edits) (sections[resource] ??= []).push({ [KINDS[resource].id]: id, ...after });
  return JSON.stringify({ apiVersion: API_VERSION, ...sections });
}

/** What stands between the edits and their save, because the stored rows are others than when the edits were made. */
interface Conflicts {
  /** Edits that no save can keep. */
  readonly refused: readonly string[];
  /** Other people's values that a save would replace. */
  readonly replaced: readonly string[];
}

/** Compares the edits with the stored rows that a plan of them found. */
export function conflictsOf(edits: readonly StagedEdit[], { sections, differences }: ConfigPlan): Conflicts {
  const refused: string[] = [];
  const replaced: string[] = [];
  for (const edit of edits) {
    const { resource, id, isNew, before } = edit;
    const [word] = KINDS[resource].words;
    const planned = sections[resource];
    const isCreated = planned?.created.includes(id) === true;
    if (isNew && !isCreated)
      refused.push(`The ${word} \`${id}\` exists already. Give the new one another name, or remove it.`);
    if (!isNew && isCreated) refused.push(`The ${word} \`${id}\` does not exist any more. Remove this edit.`);
    const found = differences.find((one) => isSameRow(one as RowKey, edit))?.before;
    if (isNew || isCreated || !isObject(found)) continue;
    const fields = Object.keys(before).filter((field) => !same(before[field], found[field]));
    const words = fields.map(fieldInWords).join(", ");
    if (fields.length > 0) replaced.push(`The ${word} \`${id}\`: saving replaces the new value of ${words}.`);
  }
  return { refused, replaced };
}
