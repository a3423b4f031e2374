import { headers } from "next/headers";

/** Where to sign in, and back from there to this page as it was asked for: the address holds the view. */
export async function signInAddress(here: string): Promise<`/sign-in?${string}`> {
  const search = (await headers()).get("x-search") ?? "";
  return `/sign-in?callbackUrl=${encodeURIComponent(`${here}${search}`)}`;
}
