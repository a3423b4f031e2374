/** Decodes a text such as `pizzeria%3Alist_menu`. A text that cannot be decoded stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
