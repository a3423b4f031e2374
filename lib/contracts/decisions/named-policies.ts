import type { ExplanationOutput } from "@/lib/contracts/decisions/preview";

/** The policies that an explanation names: those that decided, those of the smallest change, and those that grant. */
export function policiesOf({ steps, fix, via }: Pick<ExplanationOutput, "steps" | "fix" | "via">): ReadonlySet<string> {
  const refs = [...steps.flatMap((step) => step.refs), ...(fix?.changes.flatMap((change) => change.refs) ?? [])];
  return new Set([
    ...refs.filter(({ kind }) => kind === "policy").map(({ name }) => name),
    ...via.flatMap(({ policies }) => policies),
  ]);
}
