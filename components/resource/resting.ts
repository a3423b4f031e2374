"use client";

import { createContext, use } from "react";

/**
 * Whether the draft around rests: it is being saved, or it was and its page is about to go. Nothing is asked of it any
 * more: by the time of the answer its name would be taken, by itself.
 */
export const Resting = createContext(false);

/** The same, where a draft is asked about. */
export function useResting(): boolean {
  return use(Resting);
}
