import { toast } from "@/components/ui/overlays/toast";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** A saved row, with the warnings of the save. */
export type Saved<T> = T & { readonly warnings?: readonly Warning[] };

/** Names the assertions that fail after a save; the message stays until it is closed. */
export function showWarnings(warnings: readonly Warning[] = []): void {
  if (warnings.length === 0) return;
  const count = warnings.length === 1 ? "one assertion fails" : `${warnings.length} assertions fail`;
  toast({
    title: `Saved, but ${count}`,
    description: warnings
      .slice(0, 3)
      .map(({ path, message }) => `${path}: ${message.replaceAll("`", "")}`)
      .join(" "),
    tone: "failed",
  });
}
