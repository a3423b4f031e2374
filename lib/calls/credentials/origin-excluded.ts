import { AppError } from "@/lib/errors";

/** The error for credentials that may not be sent to the origin of `url`. */
export function originExcluded(url: string, message: string): AppError {
  return new AppError("upstream_auth_failed", message, { cause: causeOf(url) });
}

/** Whether an error says that credentials may not be sent to the origin of `url`. */
export function isOriginExcluded({ cause }: AppError, url: string): boolean {
  return cause === causeOf(url);
}

/** A text, because each bundle of Next has its own copy of this module. */
function causeOf(url: string): string {
  return `origin excluded: ${new URL(url).origin}`;
}
