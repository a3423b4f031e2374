/** Characters of JSON per token: vendors' tokenisers are within a fifth of this on tool manifests. */
const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens that a manifest, or a part of it, takes in a model's context. */
export function estimateTokens(manifest: unknown): number {
  return estimateTextTokens(JSON.stringify(manifest));
}

/** The same of a manifest's JSON text. */
export function estimateTextTokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
