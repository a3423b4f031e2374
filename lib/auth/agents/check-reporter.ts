import type { TokenCheck } from "@/lib/contracts/people/token-test";

/**
 * Observes the verification of a token. Called before each check with what the check reads, in words for the issuer's
 * administrators; a refusal that follows belongs to the last check. `found` runs only if an observer needs the words.
 */
export type CheckReporter = (check: TokenCheck, found: () => string) => void;

/** The observer of normal agent requests, which ignores everything. */
export const ignoreChecks: CheckReporter = () => {};
