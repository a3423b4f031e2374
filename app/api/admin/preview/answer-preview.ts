import { decidePreview, limitMsOf, type PreviewContext } from "@/app/api/admin/preview/decide-preview";
import { observedChanges } from "@/lib/admin/preview-observed";
import { listGrants } from "@/lib/admin/grants";
import { runInTurns } from "@/lib/store/db/in-turns";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { manifestEntries, type ManifestSource } from "@/lib/manifest/entries";
import { renderManifest } from "@/lib/manifest/index";
import { toPreview } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import { manifestFormat, type ManifestFormat } from "@/lib/contracts/agents/agent-api";
import type { PreviewInput, PreviewOutput } from "@/lib/contracts/decisions/preview";

/** A preview's answer, with the requested explanations and manifest. */
export async function answerPreview(
  input: PreviewInput,
  person: Person,
  context: PreviewContext,
): Promise<PreviewOutput> {
  const source = await decidePreview(input, person, context);
  const { explain: explained = [], limit, search } = input;
  requireKnown(explained, new Set(source.index.config.tools.map(({ id }) => id)));
  return {
    ...(await runInTurns(toPreview({ ...source, explained, limit, search }), limitMsOf(input), context.signal)),
    raisedBy: source.raisedBy,
    observed: await runInTurns(observedChanges(source), limitMsOf(input), context.signal),
    ...(input.grants !== undefined && { grants: await listGrants(source, input.grants, context.signal) }),
    ...(input.manifest !== undefined && manifestOf(input.manifest, source)),
    ...(input.manifestSizes === true && { manifestSizes: sizesOf(source) }),
  };
}

function manifestOf(format: ManifestFormat, source: ManifestSource) {
  const { data, notes } = renderManifest(format, manifestEntries(source));
  return { manifest: data, manifestTokens: estimateTokens(data), manifestNotes: [...notes] };
}

function sizesOf(source: ManifestSource): NonNullable<PreviewOutput["manifestSizes"]> {
  const entries = manifestEntries(source);
  const sizes = manifestFormat.options.map((format) => [format, estimateTokens(renderManifest(format, entries).data)]);
  return Object.fromEntries(sizes) as Record<ManifestFormat, number>;
}

function requireKnown(explained: "all" | readonly string[], known: ReadonlySet<string>): void {
  if (explained === "all") return;
  const at = explained.findIndex((id) => !known.has(id));
  if (at < 0) return;
  throw new AppError("invalid_request", `There is no tool \`${explained[at]}\`.`, {
    errors: [{ path: `explain[${at}]`, message: "unknown tool" }],
  });
}
