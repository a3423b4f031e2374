/** Characters of JSON per token: vendors' tokenisers are within a fifth of this on tool manifests. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens that a manifest, or a part of it, takes in a model's context. */
export function estimateTokens(manifest: unknown): number {
  return estimateTextTokens(JSON.stringify(manifest).length);
}

/** Estimates the tokens of a JSON text with this many characters. */
export function estimateTextTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
