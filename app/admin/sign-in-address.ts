import { headers } from "next/headers";

/** The address of the sign-in page that leads back to the requested page with its query, which holds the view. */
export async function signInAddress(here: string): Promise<`/sign-in?${string}`> {
  const search = (await headers()).get("x-search") ?? "";
  return `/sign-in?callbackUrl=${encodeURIComponent(`${here}${search}`)}`;
}
