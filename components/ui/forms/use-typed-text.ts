import { useState } from "react";

/**
 * The text of a field whose value has another form, such as "1." for the number 1. A value from elsewhere (discard,
 * reload) replaces the text.
 *
 * @param shown the value as text
 * @returns the text, and the function that keeps a typed text for the value `of`
 */
export function useTypedText(shown: string): readonly [text: string, keep: (text: string, of: string) => void] {
  const [typed, setTyped] = useState<{ text: string; of: string } | null>(null);
  return [typed !== null && typed.of === shown ? typed.text : shown, (text, of) => setTyped({ text, of })];
}
