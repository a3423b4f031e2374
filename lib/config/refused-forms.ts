import { problemOfNewMatcher } from "@/lib/access/matching/compiled-matcher";
import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { Parts } from "@/lib/access/model/parts";
import type { DocumentProblem } from "@/lib/config/problems";
import { refusedForm } from "@/lib/manifest/schema/subschemas";

type Row = Readonly<Record<string, Json | undefined>>;

/** A schema or a matcher value that a save refuses. */
export interface RefusedForm extends DocumentProblem {
  /** Whether another value of the row has the same form. */
  readonly isIn: (row: object) => boolean;
}

/**
 * Finds schemas and matcher values that a save refuses although rows of earlier versions have them. Leaves out those that
 * `before` has too, so that a stored row can still be changed, for example disabled. In parts, because a pattern takes
 * milliseconds to compile.
 */
export function* refusedForms(resource: string, row: object, before: object | null = null): Parts<RefusedForm[]> {
  const found: RefusedForm[] = [];
  for (const { path, isIn, problem } of formsOf(resource, row as Row)) {
    if (isIn(before ?? {})) continue;
    const message = problem();
    if (message !== null) found.push({ path, message, isIn });
    yield;
  }
  return found;
}

/** A form that `problem` judges. Only that compiles a pattern. */
type Form = Pick<RefusedForm, "path" | "isIn"> & { readonly problem: () => string | null };

function formsOf(resource: string, row: Row): Form[] {
  if (resource === "tools")
    return ["inputSchema", "outputSchema"].map((path) => {
      const schema = row[path] ?? null;
      const isIn = (other: object) => isSameJson(schema, (other as Row)[path] ?? null);
      return { path, isIn, problem: () => refusedForm(schema) };
    });
  if (resource !== "policies") return [];
  return ["matchers", "arguments"].flatMap((field) =>
    matchersOf(row[field]).map((matcher, index): Form => {
      const isIn = (other: object) => matchersOf((other as Row)[field]).some((one) => isSame(one, matcher));
      return { path: `${field}[${index}].value`, isIn, problem: () => problemOfNewMatcher(matcher) };
    }),
  );
}

function matchersOf(value: Json | undefined): readonly Matcher[] {
  return Array.isArray(value) ? (value as unknown as readonly Matcher[]) : [];
}

/** Rows of earlier versions may lack `ignoreCase`. */
function isSame(one: Matcher, other: Matcher): boolean {
  return one.claim === other.claim && one.operator === other.operator && isSameJson(one.value, other.value);
}
