import { problemOfNewMatcher } from "@/lib/access/matching/compiled-matcher";
import { isSameJson } from "@/lib/access/model/canonical";
import type { Json } from "@/lib/access/model/configuration";
import type { Matcher } from "@/lib/access/model/matcher";
import type { DocumentProblem } from "@/lib/config/problems";
import { refusedForm } from "@/lib/manifest/schema/subschemas";

type Row = Readonly<Record<string, Json | undefined>>;

/**
 * Finds schemas and matcher values that a save refuses although rows of earlier versions have them. Leaves out those that
 * `before` has too, so that a stored row can still be changed, for example disabled.
 */
export function refusedForms(resource: string, row: object, before: object | null = null): DocumentProblem[] {
  const [now, was] = [row as Row, (before ?? {}) as Row];
  if (resource === "tools")
    return ["inputSchema", "outputSchema"].flatMap((path) => {
      const schema = now[path] ?? null;
      const message = isSameJson(schema, was[path] ?? null) ? null : refusedForm(schema);
      return message === null ? [] : [{ path, message }];
    });
  if (resource !== "policies") return [];
  return ["matchers", "arguments"].flatMap((field) => {
    const known = matchersOf(was[field]);
    return matchersOf(now[field]).flatMap((matcher, index) => {
      const message = known.some((one) => isSame(one, matcher)) ? null : problemOfNewMatcher(matcher);
      return message === null ? [] : [{ path: `${field}[${index}].value`, message }];
    });
  });
}

function matchersOf(value: Json | undefined): readonly Matcher[] {
  return Array.isArray(value) ? (value as unknown as readonly Matcher[]) : [];
}

/** Rows of earlier versions may lack `ignoreCase`. */
function isSame(one: Matcher, other: Matcher): boolean {
  return one.claim === other.claim && one.operator === other.operator && isSameJson(one.value, other.value);
}
