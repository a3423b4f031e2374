import { MANY } from "@/lib/resources/parts/words";

/** A count of callers for display; a coarse count as its step: "0", "1–4", "5+". */
export function countText(count: number, coarse: boolean): string {
  if (!coarse || count === 0) return count.toLocaleString("en");
  return count >= MANY ? `${MANY}+` : `1–${MANY - 1}`;
}
