import { z } from "zod";
import { ALL, type Group, type Policy } from "@/lib/access/model/configuration";
import { dotted } from "@/lib/access/model/storable";
import { BLANK_SELECTOR } from "@/lib/access/matching/selector-clauses";
import { ruleMode } from "@/lib/resources/parts/rule-mode";
import { EFFECTS } from "@/lib/resources/policy";
import { resources, type Row, type ResourceName } from "@/lib/resources/index";
import { storedToolRow } from "@/lib/resources/tool";

/** A stored row that its schema refuses, and why. */
export interface RowProblem {
  readonly resource: string;
  readonly id: string;
  readonly path: string;
  readonly message: string;
}

/** A parsed row, or the problems that refuse it. */
type ReadRow<R extends ResourceName> =
  | { readonly row: Row<R>; readonly problems: readonly [] }
  | { readonly row: null; readonly problems: readonly RowProblem[] };

/** Parsed rows by stored object, so that an unchanged row is parsed only once. */
const readBefore = new WeakMap<object, ReadRow<ResourceName>>();

/** Parses a row with its schema. */
export function readRow<R extends ResourceName>(resource: R, id: string, stored: object): ReadRow<R> {
  const known = readBefore.get(stored) as ReadRow<R> | undefined;
  if (known !== undefined) return known;
  const read = parseRow(resource, id, stored);
  readBefore.set(stored, read);
  return read;
}

function parseRow<R extends ResourceName>(resource: R, id: string, stored: object): ReadRow<R> {
  const shape = resource === "tools" ? storedToolRow : resources[resource].row;
  const result = shape.safeParse(stored);
  if (result.success) return { row: result.data as Row<R>, problems: [] };
  const problems = result.error.issues.slice(0, 20).map(({ path, message }) => ({
    resource,
    id,
    message,
    path: dotted(path),
  }));
  return { row: null, problems };
}

const matcher = z.object({
  claim: z.string(),
  operator: z.string(),
  value: z.json().default(null),
  ignoreCase: z.boolean().default(false),
});

/** A policy whose matchers have the right form. Their operators and patterns may be invalid. */
const formOfPolicy = z.object({
  name: z.string(),
  description: z.string(),
  effect: z.enum(EFFECTS),
  priority: z.int(),
  active: z.boolean(),
  mode: ruleMode,
  validFrom: z.string().nullable(),
  validUntil: z.string().nullable(),
  matchers: z.array(matcher),
  everyone: z.boolean(),
  arguments: z.array(matcher),
  groups: z.array(z.string()),
  maxHours: z.int().nullable().default(null),
  approvers: z.array(z.string()).nullable().default(null),
});

/**
 * The safe remainder of a stored policy that its schema refuses. With the right form it stays as it is; the core treats an
 * unknown operator as incomparable. Otherwise an allow or a request is dropped, and any other policy denies its groups to everyone, or
 * all groups when they cannot be read. This never widens access.
 */
export function tolerantPolicy(stored: Readonly<Record<string, unknown>>): Policy | null {
  const form = formOfPolicy.safeParse(stored);
  if (form.success) return form.data;
  if (stored["effect"] === "allow" || stored["effect"] === "request") return null;
  const groups = z.array(z.string()).min(1).safeParse(stored["groups"]);
  const text = (field: string) => (typeof stored[field] === "string" ? stored[field] : null);
  return {
    name: String(stored["name"]),
    description: text("description") ?? "",
    effect: "deny",
    priority: 0,
    active: stored["active"] !== false,
    mode: stored["mode"] === "observe" ? "observe" : "enforce",
    validFrom: text("validFrom"),
    validUntil: text("validUntil"),
    matchers: [],
    everyone: true,
    arguments: [],
    groups: groups.success ? groups.data : [ALL],
  };
}

const words = z.array(z.string()).default([]);
const trait = z.boolean().nullable().default(null);
const pattern = z.string().nullable().default(null);
const memberFields = {
  tool: z.string(),
  who: z.string().nullable().default(null),
  when: z.string().nullable().default(null),
};

/** A group of the right form. Its patterns may be invalid. */
const formOfGroup = z.object({
  name: z.string(),
  description: z.string(),
  guidance: z.string().nullable(),
  active: z.boolean(),
  selectors: z.array(
    z.object({
      source: pattern,
      name: pattern,
      path: pattern,
      method: pattern,
      requiredTags: words,
      excludedTags: words,
      requiredLabels: words,
      readOnly: trait,
      hasSideEffects: trait,
      destructive: trait,
    }),
  ),
  include: z.array(z.object(memberFields)),
  exclude: z.array(z.object({ ...memberFields, reason: z.string().default("") })),
});

/** No engine compiles this pattern, so this group is broken and therefore empty (docs/reference/decision.md#group). */
const BROKEN = "regex:(";

/**
 * The safe remainder of a stored group that its schema refuses. With the right form it stays as it is; the core empties a
 * group whose pattern does not compile. Any other group gets such a pattern.
 */
export function tolerantGroup(stored: Readonly<Record<string, unknown>>): Group {
  const form = formOfGroup.safeParse(stored);
  if (form.success) return form.data;
  return {
    name: String(stored["name"]),
    description: "",
    guidance: null,
    active: stored["active"] === true,
    selectors: [{ ...BLANK_SELECTOR, name: BROKEN }],
    include: [],
    exclude: [],
  };
}
