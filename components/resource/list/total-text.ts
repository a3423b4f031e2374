import type { Total } from "@/lib/contracts/changes/list";

/** The total of a list: `1,204`, or `10,000+` at the counting limit. */
export function totalText({ total, totalIsAtLeast }: Total): string {
  return `${total.toLocaleString("en")}${totalIsAtLeast === true ? "+" : ""}`;
}
