import { toast } from "@/components/ui/overlays/toast";
import type { Warning } from "@/lib/contracts/changes/row-plan";

/** A row as its save answers it. */
export type Saved<T> = T & { readonly warnings?: readonly Warning[] };

/** Says which assertions a save has turned red; it stays until it is closed. */
export function showWarnings(warnings: readonly Warning[] = []): void {
  if (warnings.length === 0) return;
  const count = warnings.length === 1 ? "one assertion does" : `${warnings.length} assertions do`;
  toast({
    title: `Saved, but ${count} not hold`,
    description: warnings
      .slice(0, 3)
      .map(({ path, message }) => `${path}: ${message.replaceAll("`", "")}`)
      .join(" "),
    tone: "failed",
  });
}
