import { decidePreview, limitMsOf, type PreviewContext } from "@/app/api/admin/preview/decide-preview";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import type { ManifestSource } from "@/lib/manifest/entries";
import { toComparison } from "@/lib/manifest/comparison";
import type { ComparisonInput, ComparisonOutput } from "@/lib/contracts/decisions/comparison";

/** Decides both previews for the same time, unless an input states its own. Errors name the field with its side. */
export async function answerComparison(
  input: ComparisonInput,
  person: Person,
  context: PreviewContext,
): Promise<ComparisonOutput> {
  const now = new Date().toISOString();
  const decide = (side: keyof ComparisonInput) =>
    withSideInErrors(side, decidePreview({ now, ...input[side] }, person, context));
  const before = await decide("before");
  const after = await decide("after");
  const limitMs = Math.min(limitMsOf(input.before), limitMsOf(input.after));
  return runInTurns(toComparison(before, after), limitMs, context.signal);
}

/** Puts `before.` or `after.` in front of the invalid fields that an error names. */
async function withSideInErrors(side: keyof ComparisonInput, source: Promise<ManifestSource>): Promise<ManifestSource> {
  try {
    return await source;
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    const { code, message, extra, headers, cause } = error;
    const errors = error.errors.map((problem) => ({ ...problem, path: `${side}.${problem.path}` }));
    throw new AppError(code, message, { errors, extra, headers, cause });
  }
}
