import { z } from "zod";

/** Scheme, host and port of an address to which the app may send something. */
export const origin = z
  .string()
  .max(300)
  .refine(isOrigin, "use an origin, such as https://api.example.com: no path, no closing slash");

function isOrigin(text: string): boolean {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
