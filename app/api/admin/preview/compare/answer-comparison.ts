import { askPreview, deadlineOf, type PreviewAsk } from "@/app/api/admin/preview/ask-preview";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import type { ManifestSource } from "@/lib/manifest/entries";
import { toComparison } from "@/lib/manifest/comparison";
import type { ComparisonInput, ComparisonOutput } from "@/lib/contracts/decisions/comparison";

/** Decides both previews at one time, unless they state others. An error names the invalid field with its side. */
export async function answerComparison(
  input: ComparisonInput,
  person: Person,
  asked: PreviewAsk,
): Promise<ComparisonOutput> {
  const now = new Date().toISOString();
  const ask = (side: keyof ComparisonInput) => of(side, askPreview({ now, ...input[side] }, person, asked));
  const before = await ask("before");
  const after = await ask("after");
  const until = Math.min(deadlineOf(input.before), deadlineOf(input.after));
  return runInTurns(toComparison(before, after), until, asked.signal);
}

async function of(side: keyof ComparisonInput, asked: Promise<ManifestSource>): Promise<ManifestSource> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.errors.length === 0) throw error;
    const { code, message, extra, headers, cause } = error;
    const errors = error.errors.map((problem) => ({ ...problem, path: `${side}.${problem.path}` }));
    throw new AppError(code, message, { errors, extra, headers, cause });
  }
}
