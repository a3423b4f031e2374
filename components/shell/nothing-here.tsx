import { WayBack } from "@/components/shell/way-back";
import { EmptyState } from "@/components/ui/empty-state";

/** The page of an unknown address. */
export function NothingHere() {
  return (
    <EmptyState page title="Not found" action={<WayBack />}>
      The address is wrong, or the object was deleted or renamed.
    </EmptyState>
  );
}
