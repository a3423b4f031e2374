import type { Selector, Tool } from "@/lib/access/model/configuration";

// The clauses of a selector, in one table per kind, for the tests, explanations and pages of selectors. The browser loads
// this file, so it imports no package.

/** The clauses whose value has a type. */
type ClauseOf<Value> = { [Clause in keyof Selector]: Selector[Clause] extends Value ? Clause : never }[keyof Selector];

/** The fields of a tool that find it: its id, and those that selectors test. */
export type SelectedTool = Pick<
  Tool,
  "id" | "source" | "operation" | "path" | "method" | "tags" | "labels" | "annotations" | "hasSideEffects"
>;

/**
 * The clauses that hold a pattern, in test order, each with the field of the tool that it tests. `name` is the operation,
 * never a name that an admin can edit.
 */
export const PATTERN_CLAUSES = {
  source: "source",
  name: "operation",
  path: "path",
  method: "method",
} as const satisfies Record<ClauseOf<string | null>, keyof SelectedTool>;

/** The clauses that list words. The tool's `field` must have all of the words (`present`), or none of them. */
export const LIST_CLAUSES = {
  requiredTags: { field: "tags", present: true },
  excludedTags: { field: "tags", present: false },
  requiredLabels: { field: "labels", present: true },
} as const satisfies Record<ClauseOf<readonly string[]>, { field: "tags" | "labels"; present: boolean }>;

/**
 * The clauses that test what a tool does. They work for tools without a method, such as those of MCP servers. Without
 * `destructiveHint`, a tool with side effects counts as destructive, as in MCP.
 */
export const TRAIT_CLAUSES = {
  readOnly: ({ annotations }) => annotations.readOnlyHint === true,
  hasSideEffects: ({ hasSideEffects }) => hasSideEffects,
  destructive: ({ annotations, hasSideEffects }) => annotations.destructiveHint ?? hasSideEffects,
} as const satisfies Record<ClauseOf<boolean | null>, (tool: SelectedTool) => boolean>;

/** A selector that states nothing. */
export const BLANK_SELECTOR = {
  source: null,
  name: null,
  path: null,
  method: null,
  requiredTags: [],
  excludedTags: [],
  requiredLabels: [],
  readOnly: null,
  hasSideEffects: null,
  destructive: null,
} satisfies Selector;

/** The names of a table's clauses. */
export function clausesIn<Clause extends keyof Selector>(table: Readonly<Record<Clause, unknown>>): Clause[] {
  return Object.keys(table) as Clause[];
}

/** Whether a clause is checked: `null`, an empty pattern and an empty list are not. */
export function isStated(value: Selector[keyof Selector]): boolean {
  return value !== null && value !== "" && !(typeof value === "object" && value.length === 0);
}
