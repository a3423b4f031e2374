import type { Warning } from "@/lib/contracts/changes/row-plan";

// The server writes and the screens read a warning about an assertion here, so that both know one text.

/** An assertion that fails, with one sentence for each problem; in a warning, the last one may count the others. */
export interface FailingAssertion {
  readonly name: string;
  readonly problems: readonly string[];
}

/** Most problems that a warning names; the rest is counted. */
const MAX_NAMED = 5;

/** Writes the warning about an assertion that `fails` now, or `would fail` after a save. */
export function assertionWarning({ name, problems }: FailingAssertion, verb: "fails" | "would fail"): Warning {
  const rest = problems.length - MAX_NAMED;
  const named = [...problems.slice(0, MAX_NAMED), ...(rest > 0 ? [`and ${rest.toLocaleString("en")} more`] : [])];
  return { path: `assertions[${name}]`, message: `${verb}: ${named.join("; ")}` };
}

/** Reads a warning of `assertionWarning`; `null` for another warning. */
export function readAssertionWarning({ path, message }: Warning): FailingAssertion | null {
  const name = /^assertions\[(.*)\]$/s.exec(path)?.[1];
  const problems = /^(?:fails|would fail): (.*)$/s.exec(message)?.[1];
  return name === undefined || problems === undefined ? null : { name, problems: problems.split("; ") };
}
