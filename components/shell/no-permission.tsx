import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** A page that the role does not include: whom to ask. */
export function NoPermission() {
  return (
    <EmptyState page title="You may not see this" action={<LinkButton href="/">Go to the start</LinkButton>}>
      Your role does not include this page. Ask an administrator of this installation for access.
    </EmptyState>
  );
}
