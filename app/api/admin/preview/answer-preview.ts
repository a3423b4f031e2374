import { askPreview } from "@/app/api/admin/preview/ask-preview";
import type { Person } from "@/lib/auth/people/user";
import { AppError } from "@/lib/errors";
import { manifestEntries } from "@/lib/manifest/entries";
import { renderManifest } from "@/lib/manifest/index";
import { toPreview } from "@/lib/manifest/preview";
import { estimateTokens } from "@/lib/manifest/tokens";
import type { PreviewInput, PreviewOutput } from "@/lib/resources/preview";

/** A preview's answer, with the explanations and the manifest that it asks for. */
export async function answerPreview(input: PreviewInput, person: Person, requestId: string): Promise<PreviewOutput> {
  const source = await askPreview(input, person, requestId);
  const explained = input.explain ?? [];
  requireKnown(explained, new Set(source.index.config.tools.map(({ id }) => id)));
  const answer = toPreview({ ...source, explained });
  if (input.manifest === undefined) return answer;
  const { data, notes } = renderManifest(input.manifest, manifestEntries(source));
  return { ...answer, manifest: data, manifestTokens: estimateTokens(data), manifestNotes: [...notes] };
}

function requireKnown(explained: "all" | readonly string[], known: ReadonlySet<string>): void {
  if (explained === "all") return;
  const at = explained.findIndex((id) => !known.has(id));
  if (at < 0) return;
  throw new AppError("invalid_request", `There is no tool \`${explained[at]}\`.`, {
    errors: [{ path: `explain[${at}]`, message: "unknown tool" }],
  });
}
