import type { LinkableSource } from "@/lib/calls/linked-accounts/discovery";
import type { SourceRow } from "@/lib/resources/source";
import { findSource } from "@/lib/store/sources/source-tools";

/** A source, if it requires the user's own sign-in and is enabled. */
export async function findLinkable(name: string): Promise<(LinkableSource & SourceRow) | null> {
  const source = await findSource(name);
  return source !== null && isLinkable(source) && source.enabled ? source : null;
}

/** Whether a source requires the user's own sign-in. */
export function isLinkable<S extends Pick<SourceRow, "auth">>(
  source: S,
): source is S & { readonly auth: LinkableSource["auth"] } {
  return source.auth.mode === "user";
}
