import type { PreviewDraft } from "@/components/preview/draft";

/** The caller of a preview, in a word or two. */
export function callerWords({ caller }: PreviewDraft): string {
  if (caller.kind === "claims") return "custom claims";
  if (caller.kind === "execution") return caller.id === "" ? "no call chosen" : `call ${caller.id.slice(0, 8)}…`;
  return caller.name === "" ? `no ${caller.kind} chosen` : `${caller.kind} ${caller.name}`;
}
