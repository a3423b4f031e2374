import { createContext, use } from "react";

/**
 * Whether the draft is checked for its save, is being saved, or is saved and its page is about to close. Then nothing else
 * validates the draft: the saved row itself would make its name look taken.
 */
export const ValidationPaused = createContext(false);

/** Whether the draft around this component must not be validated now. */
export function useValidationPaused(): boolean {
  return use(ValidationPaused);
}
