import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** Shown on a page that the role may not see: says whom to ask. */
export function NoPermission() {
  return (
    <EmptyState page title="You may not see this" action={<LinkButton href="/">Go to the start</LinkButton>}>
      Your role does not include this page. Ask an administrator of this installation for access.
    </EmptyState>
  );
}
