import { compileInParts, type Index } from "@/lib/access/compile/compile";
import { registeredIn } from "@/lib/access/impact/request";
import { isSameJson } from "@/lib/access/model/canonical";
import type { Configuration, Json, JsonObject } from "@/lib/access/model/configuration";
import type { Parts } from "@/lib/access/model/parts";
import { compareDecisions } from "@/lib/access/review/compare";
import type { Doubt } from "@/lib/access/review/doubt";
import { findWitness, type Witness } from "@/lib/access/review/witness";
import { withHash } from "@/lib/config/definition-hash";
import type { FieldRule } from "@/lib/config/review/field-rule";
import { REVIEW_FIELDS } from "@/lib/config/review/fields";
import { worst, type Direction } from "@/lib/config/review/guards";
import type { Verdict, VerdictReason } from "@/lib/contracts/changes/verdict";
import { KINDS } from "@/lib/resources/kinds";
import { DECIDING } from "@/lib/resources/sections";
import { settingsInput } from "@/lib/resources/settings";
import type { ToolInput } from "@/lib/resources/tool";

/** One changed row, as the writer applies it. */
export interface ReviewedChange {
  readonly resource: string;
  readonly id: string;
  readonly before: object | null;
  readonly after: object | null;
  /** Whether it sets a secret column, such as the hash of a new key. */
  readonly setsSecret: boolean;
}

/** Of a reason that is about no tools. */
const NO_TOOLS = { tools: [], more: 0, witness: null };

/** A verdict names at most this many reasons, and looks for witnesses of at most this many. */
const MAX_REASONS = 50;
const MAX_WITNESSES = 10;

/**
 * Judges changes against the configuration in force (docs/reference/governance.md#verdict): `narrower` and `same` are
 * proven for every caller, state and time from `now` on (epoch ms). What is not proven is `wider` if the resolver
 * confirms a witness, or if a guard is weaker, else `unknown`.
 */
export function* judgeChanges(current: Index, changes: readonly ReviewedChange[], now: number): Parts<Verdict> {
  const judged = changes.flatMap(judgeRow);
  const decided = judged.some(({ direction }) => direction === "decided");
  const reasons: VerdictReason[] = judged.flatMap(({ direction, ...reason }) =>
    direction === "wider" || direction === "unknown" ? [{ ...reason, kind: direction, ...NO_TOOLS }] : [],
  );
  let more = 0;
  let narrows = judged.some(({ direction }) => direction === "narrower");
  if (decided) {
    const before = yield* compileInParts({ ...current.config, pauses: [] }, current);
    const after = yield* compileInParts(yield* changedConfiguration(before.config, changes), before);
    const { doubts } = yield* compareDecisions(before, after, now);
    reasons.push(...(yield* reasonsOf(before, after, doubts, judged, now)));
    more = Math.max(0, doubts.length - MAX_REASONS);
    narrows ||= reasons.length === 0 && (yield* compareDecisions(after, before, now)).doubts.length > 0;
  }
  const kinds: readonly Direction[] = [...reasons.map(({ kind }) => kind), narrows ? "narrower" : "same"];
  const sorted = reasons.toSorted((left, right) => Number(left.kind === "unknown") - Number(right.kind === "unknown"));
  return { kind: worst(kinds), ...firstReasons(sorted, more) };
}

/**
 * Judges changes twice: against the current configuration, and against the one that `reverts` restore, without the changes
 * that nobody has reviewed. Otherwise a copy of an unreviewed widening would widen nothing.
 */
export function* judgeWithReverts(
  current: Index,
  changes: readonly ReviewedChange[],
  reverts: readonly Omit<ReviewedChange, "setsSecret">[],
  now: number,
): Parts<Verdict> {
  const verdict = yield* judgeChanges(current, changes, now);
  if (reverts.length === 0) return verdict;
  const undone = reverts.map((revert) => ({ ...revert, setsSecret: false }));
  const restored = new Set(reverts.map(({ resource, id }) => `${resource}/${id}`));
  const reviewed = yield* compileInParts(yield* changedConfiguration(current.config, undone), current);
  // The rows that a revert restores are judged once.
  const others = changes.filter(({ resource, id }) => !restored.has(`${resource}/${id}`));
  const fromReviewed = yield* judgeChanges(reviewed, others, now);
  const kind = worst([verdict.kind, fromReviewed.kind]);
  const added = fromReviewed.reasons.filter(
    (one) => !verdict.reasons.some((known) => isSameJson(known as Json, one as Json)),
  );
  return { kind, ...firstReasons([...added, ...verdict.reasons], (verdict.more ?? 0) + (fromReviewed.more ?? 0)) };
}

/** @param omitted the number of reasons that are left out already */
function firstReasons(reasons: readonly VerdictReason[], omitted: number): Pick<Verdict, "reasons" | "more"> {
  const first = reasons.slice(0, MAX_REASONS);
  return { reasons: first, more: omitted + reasons.length - first.length };
}

function* reasonsOf(
  before: Index,
  after: Index,
  doubts: readonly Doubt[],
  judged: readonly Judged[],
  now: number,
): Parts<readonly VerdictReason[]> {
  const sides = { before: yield* registeredIn(before), after: yield* registeredIn(after) };
  const changed = judged.filter(({ direction }) => direction === "decided");
  const reasons: VerdictReason[] = [];
  for (const [number, doubt] of doubts.slice(0, MAX_REASONS).entries()) {
    yield;
    const witness = number < MAX_WITNESSES ? yield* findWitness(sides, doubt, now) : null;
    const resource = sectionOf(doubt, after);
    // The rule may be unchanged: a policy shows more because its group grew. Then a change of another kind is the cause.
    const place =
      changed.find((one) => one.resource === resource && one.id === doubt.rule) ??
      changed.find((one) => one.resource !== resource) ??
      changed[0];
    reasons.push({
      kind: witness === null ? "unknown" : "wider",
      factor: doubt.factor,
      resource: place?.resource ?? resource,
      id: place?.id ?? doubt.rule,
      field: place?.field ?? null,
      tools: [...doubt.tools],
      more: doubt.more ?? 0,
      witness: witness === null ? null : toWire(witness),
    });
  }
  return reasons;
}

/** The section of the rule that a doubt names. */
function sectionOf({ factor, rule }: Doubt, index: Index): string {
  if (index.config.agents.some(({ name }) => name === rule) && !rule.includes(":")) return "agents";
  return rule.includes(":") && factor !== "policy" ? "tools" : "policies";
}

function toWire({ at, claims, ...witness }: Witness): VerdictReason["witness"] {
  return {
    ...witness,
    claims: claims as NonNullable<VerdictReason["witness"]>["claims"],
    at: new Date(at).toISOString(),
  };
}

interface Judged extends Pick<VerdictReason, "factor" | "resource" | "id" | "field"> {
  /** `decided`: a comparison of decisions judges the change. */
  readonly direction: Direction | "decided";
}

/** The judgements of one row: one per changed field, or one of the whole row. */
function judgeRow({ resource, id, before, after, setsSecret }: ReviewedChange): readonly Judged[] {
  const rules = REVIEW_FIELDS[resource];
  const whole = (direction: Judged["direction"], factor = "row"): Judged => ({
    resource,
    id,
    field: null,
    factor,
    direction,
  });
  if (rules === undefined) return [whole("unknown")];
  if (after === null) {
    if (rules.remove === "unbound-only") return [whole(isBound(before ?? {}) ? "unknown" : "same", "binding")];
    if (rules.remove === "not-disabled") {
      const returnsEnabled = isBound(before ?? {}) && isDisabled(before ?? {});
      return [whole(returnsEnabled ? "unknown" : "same", "people")];
    }
    return [whole(directionOf(rules.remove))];
  }
  if (before === null && resource !== "settings") {
    if (rules.create === "disabled-only") return [whole(isDisabled(after) ? "same" : "unknown")];
    return [whole(directionOf(rules.create))];
  }
  const [was, is] = [fieldsOf(resource, before), fieldsOf(resource, after)];
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (field) => !isSameJson(was[field] ?? null, is[field] ?? null),
  );
  // A hash or a ciphertext changes with a field that shows it, such as `lastFour` or `setAt`.
  const secret = setsSecret && changed.every((field) => rules.fields[field] === "none") ? [whole("unknown")] : [];
  return [
    ...changed.flatMap((field) => judgeField({ resource, id, field }, rules.fields[field], was[field], is[field])),
    ...secret,
  ];
}

function directionOf(rule: string): Judged["direction"] {
  return rule === "decided" || rule === "unknown" || rule === "wider" ? rule : "same";
}

function judgeField(
  place: Pick<Judged, "resource" | "id" | "field">,
  rule: FieldRule | undefined,
  before: Json | undefined,
  after: Json | undefined,
): readonly Judged[] {
  const decided: Judged = { ...place, factor: "decisions", direction: "decided" };
  if (rule === "none") return [{ ...place, factor: "none", direction: "same" }];
  if (rule === "decided") return [decided];
  if (rule === undefined || rule === "unknown") return [{ ...place, factor: "unknown", direction: "unknown" }];
  const guard: Judged = { ...place, factor: rule.factor, direction: rule.judge(before, after) };
  return rule.decided === true ? [guard, decided] : [guard];
}

/** Whether an identity of an issuer is bound to the row. */
function isBound(row: object): boolean {
  return typeof (row as { readonly issuer?: unknown }).issuer === "string";
}

function isDisabled(row: object): boolean {
  const { enabled, active } = row as { readonly enabled?: unknown; readonly active?: unknown };
  return enabled === false || active === false;
}

/** The fields as `REVIEW_FIELDS` names them. Fields of grouped settings have two names, such as `approvals.minutes`. */
function fieldsOf(resource: string, row: object | null): Readonly<Record<string, Json | undefined>> {
  if (resource !== "settings") return (row ?? {}) as JsonObject;
  const value = row === null ? settingsInput.parse({}) : (row as { readonly value: object }).value;
  const grouped = REVIEW_FIELDS["settings"]?.fields ?? {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]: [string, Json]) =>
      Object.hasOwn(grouped, name) || typeof inner !== "object" || inner === null || Array.isArray(inner)
        ? [[name, inner] as const]
        : Object.entries(inner).map(([field, one]) => [`${name}.${field}`, one] as const),
    ),
  );
}

/** The configuration after the changes. Rows of other kinds take no part in decisions. */
export function* changedConfiguration(
  config: Configuration,
  changes: readonly Omit<ReviewedChange, "setsSecret">[],
): Parts<Configuration> {
  const next: Record<string, unknown> = { ...config };
  for (const section of DECIDING) {
    const own = changes.filter(({ resource }) => resource === section);
    if (own.length === 0) continue;
    yield;
    const key = KINDS[section].id;
    const rows = changedRows(config[section] as readonly object[], own, key);
    next[section] = section === "tools" ? yield* withHashes(rows, new Set<object>(config.tools)) : rows;
  }
  const acceptances = changes.filter(({ resource }) => resource === "drift-acceptances");
  if (acceptances.length > 0) next["driftAcceptances"] = changedRows(config.driftAcceptances, acceptances, "name");
  const settings = changes.find(({ resource }) => resource === "settings")?.after;
  if (settings !== undefined && settings !== null) next["settings"] = (settings as { readonly value: object }).value;
  return next as unknown as Configuration;
}

/** Adds the hash to the tools that have none. A set finds the others: a change may be about each of many tools. */
function* withHashes(rows: readonly object[], hashed: ReadonlySet<object>): Parts<readonly object[]> {
  const all: object[] = [];
  for (const row of rows) {
    if (hashed.has(row)) {
      all.push(row);
      continue;
    }
    yield;
    all.push(withHash(row as ToolInput));
  }
  return all;
}

function changedRows(
  rows: readonly object[],
  changes: readonly Omit<ReviewedChange, "setsSecret">[],
  key: string,
): readonly object[] {
  const gone = new Set(changes.flatMap(({ before, id }) => (before === null ? [] : [id])));
  const idOf = (row: object) => String((row as Record<string, unknown>)[key]);
  return [
    ...rows.filter((row) => !gone.has(idOf(row))),
    ...changes.flatMap(({ after }) => (after === null ? [] : [after])),
  ];
}
