import { headers } from "next/headers";

/** The address of the sign-in page. It returns the person to the requested page with its query: search, filters, order. */
export async function signInAddress(here: string): Promise<`/sign-in?${string}`> {
  const search = (await headers()).get("x-search") ?? "";
  return `/sign-in?callbackUrl=${encodeURIComponent(`${here}${search}`)}`;
}
