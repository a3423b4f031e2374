import type { z } from "zod";

/** One problem of a document; `path` identifies rows by their id: `policies[finance].groups[0]`. */
export interface DocumentProblem {
  readonly path: string;
  readonly message: string;
}

/** The most problems that an answer lists. A document may have several for each of its rows. */
export const MAX_PROBLEMS = 500;

/** Converts zod's issues to problems with row ids instead of indexes. `root` is the parsed value. */
export function problemsOf(error: Pick<z.core.$ZodError, "issues">, root: unknown): DocumentProblem[] {
  return error.issues
    .slice(0, MAX_PROBLEMS)
    .flatMap((issue) => problemsOfIssue(issue, root))
    .slice(0, MAX_PROBLEMS);
}

function problemsOfIssue(issue: z.core.$ZodIssue, root: unknown): DocumentProblem[] {
  if (issue.code === "unrecognized_keys")
    return issue.keys
      .slice(0, MAX_PROBLEMS)
      .map((key) => ({ path: pathOf([...issue.path, key], root), message: "unknown field: remove it" }));
  return [{ path: pathOf(issue.path, root), message: messageOf(issue, root) }];
}

function messageOf(issue: z.core.$ZodIssue, root: unknown): string {
  if (!isMissing(issue, root)) return issue.message;
  if (issue.code === "invalid_type") return `is missing: state a value of type ${issue.expected}`;
  if (issue.code !== "invalid_value" || issue.values.length === 1) return issue.message;
  return `is missing: use one of ${issue.values.map((value) => `\`${String(value)}\``).join(", ")}`;
}

/** Whether the parsed value `root` states nothing at an issue's path. */
export function isMissing({ path }: z.core.$ZodIssue, root: unknown): boolean {
  const at = (value: unknown, key: PropertyKey): unknown =>
    typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return path.reduce(at, root) === undefined;
}

function pathOf(path: readonly PropertyKey[], root: unknown): string {
  const [section = ""] = path;
  return path.reduce<string>((text, key, index) => {
    if (typeof key !== "number") return text === "" ? String(key) : `${text}.${String(key)}`;
    const named = index === 1 ? nameOf(root, section, key) : null;
    return `${text}[${named ?? key}]`;
  }, "");
}

/** The longest name in a path. The paths of all problems of a row repeat its name. */
const MAX_NAME = 200;

/** The id of a section's row, when the row states one. */
function nameOf(root: unknown, section: PropertyKey, index: number): string | null {
  const rows = (root as Record<PropertyKey, unknown>)[section];
  const row: unknown = Array.isArray(rows) ? rows[index] : null;
  if (typeof row !== "object" || row === null) return null;
  const { id, name } = row as { id?: unknown; name?: unknown };
  const own = section === "tools" ? id : name;
  return typeof own === "string" && own.length <= MAX_NAME ? own : null;
}
