import { WayBack } from "@/components/shell/way-back";
import { EmptyState } from "@/components/ui/empty-state";

/** An address that leads nowhere. */
export function NothingHere() {
  return (
    <EmptyState page title="There is nothing here" action={<WayBack />}>
      The address is wrong, or what it named was deleted or renamed.
    </EmptyState>
  );
}
