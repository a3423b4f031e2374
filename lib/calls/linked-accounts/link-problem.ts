import type { LinkProblemCode } from "@/lib/contracts/people/linked-account";

/** Why an account could not be linked: a code for the page, and a sentence without anything secret. */
export class LinkProblem extends Error {
  override readonly name = "LinkProblem";
  readonly code: LinkProblemCode;

  constructor(code: LinkProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
