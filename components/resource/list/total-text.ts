import type { Total } from "@/lib/contracts/changes/list";

/** How many there are, as it stands beside a list: `1,204`, or `10,000+` where counting ended. */
export function totalText({ total, totalIsAtLeast }: Total): string {
  return `${total.toLocaleString("en")}${totalIsAtLeast === true ? "+" : ""}`;
}
