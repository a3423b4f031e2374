import { EmptyState } from "@/components/ui/empty-state";

/** A page that the role does not include: whom to ask. */
export function NoPermission() {
  return (
    <EmptyState title="You may not see this">
      Your role does not include this page. Ask an administrator of this installation for access.
    </EmptyState>
  );
}
