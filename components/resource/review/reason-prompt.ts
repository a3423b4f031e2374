import type { RequestRow } from "@/lib/contracts/changes/request";

/** The dialog that asks for the reason of a change. The app mounts it once. */
interface ReasonPrompt {
  /** Asks for the reason. `null`: the person does not want a review. @param sentence why the change needs a review */
  readonly ask: (sentence: string) => Promise<string | null>;
  /** Shows the request that a change became. */
  readonly show: (held: RequestRow) => void;
}

let installed: ReasonPrompt | null = null;

/** Installs the dialog. Returns the function that removes it. */
export function installReasonPrompt(prompt: ReasonPrompt): () => void {
  installed = prompt;
  return () => {
    if (installed === prompt) installed = null;
  };
}

/** The installed dialog; `null` before the app has loaded. */
export function reasonPrompt(): ReasonPrompt | null {
  return installed;
}
