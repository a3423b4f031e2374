/** The cookie that holds the theme; the server reads it, so that nothing flashes. */
export const THEME_COOKIE = "qm-theme";

/** `system` follows the operating system. */
export type Theme = "system" | "light" | "dark";

/** A theme from a cookie's text; anything else is `system`. */
export function toTheme(text: string | undefined): Theme {
  return text === "light" || text === "dark" ? text : "system";
}

/** Applies a theme now and remembers it for a year. */
export function runTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  document.cookie = `${THEME_COOKIE}=${theme}; path=/; max-age=31536000; samesite=lax`;
}
