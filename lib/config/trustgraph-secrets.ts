import { isObject } from "@/lib/access/model/json";
import type { DocumentProblem } from "@/lib/config/problems";
import type { TrustGraphRow } from "@/lib/config/trustgraph-rows";
import { maskSecretShapes } from "@/lib/telemetry/secret-shapes";

/** Fields with words for readers. */
const TEXTS = ["name", "description", "type"];
/** Fields with names that must stay different from each other, so that none is masked. */
const STATES = ["state", "available_in_states", "applicable-states"];

/**
 * Rows with masked secrets in their texts, and what the admin must know of them: the author of a row may have pasted a
 * secret into a description. An address stays, because calls need it. A state with a secret is an error.
 */
export function maskRows(rows: readonly TrustGraphRow[]): {
  readonly rows: readonly TrustGraphRow[];
  readonly errors: readonly DocumentProblem[];
  readonly warnings: readonly DocumentProblem[];
} {
  const errors: DocumentProblem[] = [];
  const warnings: DocumentProblem[] = [];
  const masked = rows.map((stated): TrustGraphRow => {
    const row = { ...stated, value: { ...stated.value } };
    const mask = (within: Record<string, unknown>, field: string, path: string) => {
      const text = within[field];
      if (!looksSecret(text)) return;
      within[field] = maskSecretShapes(text);
      warnings.push({ path: `${row.at}.${path}`, message: "what looks like a secret is masked" });
    };
    for (const field of TEXTS) mask(row.value, field, field);
    const { arguments: listed, url } = row.value;
    if (Array.isArray(listed))
      row.value["arguments"] = listed.map((argument: unknown, at) => {
        if (!isObject(argument)) return argument;
        const copy = { ...argument };
        mask(copy, "description", `arguments[${at}].description`);
        return copy;
      });
    if (looksSecret(url))
      warnings.push({
        path: `${row.at}.url`,
        message:
          "what looks like a secret stays, because calls need it: store it as a secret, and name that in the source's `auth`",
      });
    for (const field of STATES)
      if ([row.value[field]].flat().some(looksSecret))
        errors.push({ path: `${row.at}.${field}`, message: "looks like a secret: give the state another name" });
    return row;
  });
  return { rows: masked, errors, warnings };
}

/** Problems quote keys, groups and fields of the rows. */
export function maskProblems(problems: readonly DocumentProblem[]): DocumentProblem[] {
  return problems.map(({ path, message }) => ({ path: maskSecretShapes(path), message: maskSecretShapes(message) }));
}

function looksSecret(value: unknown): value is string {
  return typeof value === "string" && maskSecretShapes(value) !== value;
}
