import { decidePreview, limitMsOf, type PreviewContext } from "@/app/api/admin/preview/decide-preview";
import { observedChanges } from "@/lib/admin/preview-observed";
import { listGrants } from "@/lib/admin/grants";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { toPreview } from "@/lib/manifest/preview";
import type { PreviewInput, PreviewOutput } from "@/lib/contracts/decisions/preview";

/** A preview's answer, with the requested explanations and manifest. */
export async function answerPreview(
  input: PreviewInput,
  person: Person,
  context: PreviewContext,
): Promise<PreviewOutput> {
  const source = await decidePreview(input, person, context);
  const { explain: explained = [], limit, search, manifest, manifestSizes } = input;
  requireKnown(explained, new Set(source.index.config.tools.map(({ id }) => id)));
  return {
    ...(await runInTurns(
      toPreview({ ...source, explained, limit, search, manifest, manifestSizes }),
      limitMsOf(input),
      context.signal,
    )),
    raisedBy: source.raisedBy,
    observed: await runInTurns(observedChanges(source), limitMsOf(input), context.signal),
    ...(input.grants !== undefined && { grants: await listGrants(source, input.grants, context.signal) }),
  };
}

function requireKnown(explained: "all" | readonly string[], known: ReadonlySet<string>): void {
  if (explained === "all") return;
  const at = explained.findIndex((id) => !known.has(id));
  if (at < 0) return;
  throw new AppError("invalid_request", `There is no tool \`${explained[at]}\`.`, {
    errors: [{ path: `explain[${at}]`, message: "unknown tool" }],
  });
}
