/** Characters of JSON per token: what vendors' tokenisers come to on tool manifests, to within a fifth. */
const CHARACTERS_PER_TOKEN = 4;

/** An estimate of what a manifest, or a part of one, costs a model's context. */
export function estimateTokens(manifest: unknown): number {
  return Math.ceil(JSON.stringify(manifest).length / CHARACTERS_PER_TOKEN);
}
