import { withoutPauses } from "@/lib/access/compile/compile";
import { runAssertionsOn, type AssertionResult } from "@/lib/config/assertions";
import { AppError } from "@/lib/errors";
import { assertionInput, type AssertionInput } from "@/lib/resources/assertion";
import type { AssertionRunInput, AssertionRunOutput } from "@/lib/contracts/decisions/assertion-run";
import { db } from "@/lib/store/db/database";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Snapshot } from "@/lib/store/snapshot/build";
import { currentSnapshot } from "@/lib/store/snapshot/snapshot";
import { Stored } from "@/lib/store/save/stored";
import { toValue } from "@/lib/store/config/tables";

/**
 * Runs stored assertions on the configuration in force, or on an older one, without its pauses, because assertions test
 * rules. An assertion that does not parse fails.
 *
 * @param now epoch milliseconds of the decision
 * @throws AppError `invalid_request` for an unknown assertion
 */
export async function runStoredAssertions(
  { names }: AssertionRunInput,
  now: number,
  snapshot?: Snapshot,
): Promise<AssertionRunOutput> {
  const { index, revision } = snapshot ?? (await currentSnapshot());
  const stored = await new Stored(db()).all("assertions");
  const errors = (names ?? []).flatMap((name, at) =>
    stored.has(name) ? [] : [{ path: `names[${at}]`, message: `there is no assertion \`${name}\`` }],
  );
  if (errors.length > 0) throw new AppError("invalid_request", "The body is not valid.", { errors });
  const runnable: AssertionInput[] = [];
  const broken: AssertionResult[] = [];
  for (const name of names ?? stored.keys()) {
    const row = stored.get(name);
    const parsed = assertionInput.safeParse(row === undefined ? undefined : toValue("assertions", row));
    if (parsed.success) runnable.push(parsed.data);
    else broken.push({ name, passed: false, problems: ["it does not parse: save it again"] });
  }
  const unpaused = await runInTurns(withoutPauses(index));
  const results = [...broken, ...(await runInTurns(runAssertionsOn(unpaused, runnable, now)))];
  const failed = results.filter(({ passed }) => !passed).length;
  return {
    revision,
    passed: results.length - failed,
    failed,
    results: results.map(({ name, passed, problems }) => ({ name, passed, problems: [...problems] })),
  };
}
