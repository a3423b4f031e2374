import { DEFAULT_GROUP } from "@/lib/access/model/configuration";
import { problemsOf } from "@/lib/config/problems";
import { AppError } from "@/lib/errors";
import { MAX_BULK_SHOWN, type BulkChange, type BulkInput, type BulkOutput } from "@/lib/contracts/changes/bulk";
import { resources } from "@/lib/resources/index";
import type { ConfigSection } from "@/lib/resources/sections";
import type { ToolInput } from "@/lib/resources/tool";
import type { Warning } from "@/lib/contracts/changes/row-plan";
import { impactOfRows, type UnloggedClaims } from "@/lib/admin/impact";
import { inTurns } from "@/lib/store/db/in-turns";
import { guessFlow, lacksGuess } from "@/lib/sources/import/guess-flow";
import { stores } from "@/lib/store/config/index";
import { planChanges, saveWithAssertions } from "@/lib/store/save/row-plan";
import type { Stored as StoredRows } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";
import { write, type Actor, type AppliedChange, type Change } from "@/lib/store/save/write";

/** The value of a field in an answer. */
type Shown = BulkOutput["rows"][number]["before"];

/** Most problems that an error names. */
const MAX_PROBLEMS = 20;

interface BulkPlan {
  readonly changes: readonly Change[];
  readonly matching: number;
  readonly revision: number;
}

/**
 * Computes what changing many rows would do, without saving.
 *
 * @param signal stops computing the impact when the client has disconnected
 * @throws AppError `invalid_request` for an invalid query or field; `not_found` for an unknown id; `request_timeout`
 */
export async function planBulk(
  actor: Actor,
  section: ConfigSection,
  input: BulkInput,
  unlogged: UnloggedClaims,
  signal?: AbortSignal,
): Promise<BulkOutput> {
  let found: BulkPlan | null = null;
  const plan = async (stored: StoredRows) => {
    found = await changesOf(stored, section, input);
    return found.changes;
  };
  const { changes, errors, warnings, review } = await planChanges(actor, section, plan);
  const { matching, revision } = found ?? { matching: 0, revision: 0 };
  const own = new Map(
    changes.flatMap(({ resource, id, after }) => (resource === section ? [[id, after] as const] : [])),
  );
  const hasImpact = section !== "assertions" && own.size > 0 && errors.length === 0;
  return {
    ...summaryOf(section, input.change, changes, { matching, revision }),
    errors: [...errors],
    warnings: [...warnings],
    review,
    impact: hasImpact ? await impactOfRows(section, own, unlogged, { minRevision: revision, signal }) : null,
  };
}

/**
 * Changes many rows, all or none, as one revision.
 *
 * @param ifRevision the revision of the plan; the error is `stale` if something that a plan reads has changed since then
 * @throws AppError the errors of `write`; `invalid_request` naming the first rows that would be invalid
 */
export async function writeBulk(
  actor: Actor,
  section: ConfigSection,
  input: BulkInput,
  ifRevision?: number,
): Promise<BulkOutput> {
  let matching = 0;
  const plan = async (stored: StoredRows) => {
    const found = await changesOf(stored, section, input);
    matching = found.matching;
    return found.changes;
  };
  const options = { paths: "document", note: noteOf(section, input.change), ifRevision } as const;
  const { saved: written, warnings } = await saveWithAssertions(section, () => write(actor, plan, options));
  return {
    ...summaryOf(section, input.change, written.changes, { matching, revision: written.revision }),
    errors: [],
    warnings,
    review: null,
    impact: null,
  };
}

/** The selected rows with the change applied. */
async function changesOf(stored: StoredRows, section: ConfigSection, { rows, change }: BulkInput): Promise<BulkPlan> {
  const all = await stored.all(section);
  const ids = "ids" in rows ? rows.ids : await stores[section].matching(rows.query, stored);
  const nextOf = change.kind === "delete" ? null : await toRowChange(stored, section, change);
  const problems: Warning[] = [];
  const changes: Change[] = [];
  for await (const id of inTurns(new Set(ids))) {
    const row = all.get(id);
    if (row === undefined) throw new AppError("not_found", `There is no ${resources[section].words[0]} \`${id}\`.`);
    if (nextOf === null) {
      changes.push({ resource: section, action: "delete", id } as Change);
      continue;
    }
    const value = toValue(section, row);
    const next = nextOf(value);
    if (next === value) continue;
    const parsed = resources[section].input.safeParse(next);
    if (parsed.success)
      changes.push({ resource: section, action: "update", id, after: parsed.data } as unknown as Change);
    else
      problems.push(
        ...problemsOf(parsed.error, next).map(({ path, message }) => ({ path: `${section}[${id}].${path}`, message })),
      );
  }
  if (problems.length > 0)
    throw new AppError("invalid_request", "Some rows would not be valid: no row was changed.", {
      errors: problems.slice(0, MAX_PROBLEMS),
    });
  return { changes, matching: new Set(ids).size, revision: await stored.revision() };
}

/** Returns the function that changes a row; it returns an unchanged row itself. @throws AppError `invalid_request` */
async function toRowChange(
  stored: StoredRows,
  section: ConfigSection,
  change: Exclude<BulkChange, { kind: "delete" }>,
): Promise<(row: object) => object> {
  if (change.kind !== "guess_flow") return (row) => withFieldChanged(row, section, change);
  if (section !== "tools") throw refused("only tools have a flow to guess: use the section `tools`", "change.kind");
  const sources = await stored.all("sources");
  return (row) => {
    const tool = row as ToolInput;
    return lacksGuess(tool, sources.get(tool.source)?.kind) ? { ...tool, flowGuess: guessFlow(tool) } : tool;
  };
}

type FieldChange = Extract<BulkChange, { readonly field: string }>;

/** @throws AppError `invalid_request` for an unknown field of the section, or one that is no list */
function withFieldChanged(row: object, section: ConfigSection, change: FieldChange): object {
  const value = row as Readonly<Record<string, unknown>>;
  const { field } = change;
  if (!Object.hasOwn(value, field) || field === resources[section].id)
    throw refused(`\`${field}\` of ${section} cannot be changed for many rows`);
  if (change.kind === "set") return { ...value, [field]: change.value, ...reasonFor(value, change) };
  const list = listOf(section, field, value[field]);
  if (list === null) throw refused(`\`${field}\` of ${section} is not a list with values: set it instead`);
  const { values } = change;
  const next =
    change.kind === "remove"
      ? list.filter((one) => !values.includes(one))
      : [...list, ...[...new Set(values)].filter((one) => !list.includes(one))];
  // A tool without declared groups keeps `null`, unless its groups change or the change declares `default`.
  const isDeclared = value[field] === null && change.kind === "add" && values.includes(DEFAULT_GROUP);
  return next.length === list.length && !isDeclared ? row : { ...value, [field]: next };
}

/** The `disabledReason` of a row that the change disables. A row that is already disabled keeps its own. */
function reasonFor(
  row: Readonly<Record<string, unknown>>,
  { field, value, reason }: Extract<BulkChange, { kind: "set" }>,
): { readonly disabledReason?: string } {
  if (reason === undefined) return {};
  if (field !== "enabled" || value !== false || !Object.hasOwn(row, "disabledReason"))
    throw refused("a reason is only for `enabled: false` of sources, tools and agents: leave it out", "change.reason");
  return row["enabled"] === false ? {} : { disabledReason: reason };
}

function refused(message: string, path = "change.field"): AppError {
  return new AppError("invalid_request", "The change is not valid.", {
    errors: [{ path, message }],
  });
}

/** A field's list. A tool without declared groups is in `default`, and stays in it when a group is added. */
function listOf(section: ConfigSection, field: string, value: unknown): readonly string[] | null {
  if (value === null && section === "tools" && field === "groups") return [DEFAULT_GROUP];
  const isTexts = Array.isArray(value) && value.every((one) => typeof one === "string");
  return isTexts ? (value as string[]) : null;
}

/** The counts of a bulk change, and its first rows. */
function summaryOf(
  section: ConfigSection,
  change: BulkChange,
  applied: readonly AppliedChange[],
  { matching, revision }: Omit<BulkPlan, "changes">,
): Pick<BulkOutput, "revision" | "matching" | "changing" | "rows"> {
  const own = applied.filter(({ resource }) => resource === section);
  const field = change.kind === "guess_flow" ? "flowGuess" : "field" in change ? change.field : null;
  const fieldOf = (row: object | null) =>
    field === null || row === null ? null : ((row as Record<string, unknown>)[field] as Shown);
  const rows = own
    .slice(0, MAX_BULK_SHOWN)
    .map(({ id, before, after }) => ({ id, before: fieldOf(before), after: fieldOf(after) }));
  return { revision, matching, changing: own.length, rows };
}

/** Such as "requires approval" for `requiresApproval`. */
function fieldInWords(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** The note that the revision list shows. */
function noteOf(section: ConfigSection, change: BulkChange): string {
  const [, many] = resources[section].words;
  if (change.kind === "delete") return `deleted ${many}`;
  if (change.kind === "guess_flow") return `guessed the flow of ${many}`;
  if (change.kind === "set")
    return `set "${fieldInWords(change.field)}" to ${JSON.stringify(change.value)} for ${many}`;
  const way = change.kind === "add" ? "added to" : "removed from";
  return `${change.values.join(", ")} ${way} ${change.field} of ${many}`;
}
