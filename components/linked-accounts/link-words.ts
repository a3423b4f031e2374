import type { LinkProblemCode } from "@/lib/contracts/people/linked-account";

/** Why an account was not linked, in a person's words: what happened, then what to do. */
const PROBLEM_WORDS: Readonly<Record<LinkProblemCode, string>> = {
  declined: "You declined at the upstream, so no account was linked. Start again if that was a mistake.",
  expired:
    "This sign-in is too old, was used before, or did not begin here. No account was linked. Open the page of the source and start again.",
  other_person:
    "Another person began this sign-in, so no account was linked. If somebody sent you the link, do not follow it. To link your own account, start here.",
  other_session:
    "You began this sign-in in another browser or before you signed in again. No account was linked. Start again here.",
  signed_out: "Your session ended during the sign-in, so no account was linked. Start again.",
  mismatch:
    "The answer came from another server than the one where you signed in. No account was linked. Start again. If it happens again, tell an administrator.",
  refused:
    "The upstream refused the sign-in. No account was linked. Start again, or ask an administrator of the upstream.",
  unreachable: "The upstream did not answer. No account was linked. Try again later.",
  not_supported:
    "The upstream's sign-in lacks a feature that Quartermaster requires. No account was linked. Tell an administrator of this installation.",
  changed: "An administrator changed the source during the sign-in. No account was linked. Start again.",
};

/** The sentence for a code in the address; any other text gets the one for an unknown sign-in. */
export function problemInWords(code: string): string {
  return Object.hasOwn(PROBLEM_WORDS, code) ? PROBLEM_WORDS[code as LinkProblemCode] : PROBLEM_WORDS.expired;
}

/** The host of an address, as people read it. */
export function hostIn(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
