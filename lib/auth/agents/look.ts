import type { TokenCheck } from "@/lib/contracts/people/token-test";

/**
 * Watches a token being verified: told of each check just before it decides, with what it found, in words for
 * the issuer's administrators. A refusal that follows is that check's. The words are only made when asked for.
 */
export type Look = (check: TokenCheck, found: () => string) => void;

/** At the agents' door nobody watches. */
export const unseen: Look = () => {};
