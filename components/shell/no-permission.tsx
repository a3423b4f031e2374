import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

/** Shown on a page that the role may not see: says whom to ask. */
export function NoPermission() {
  return (
    <EmptyState page title="No access" action={<LinkButton href="/">Go to the overview</LinkButton>}>
      Your role does not have access to this page. Ask an administrator of this installation.
    </EmptyState>
  );
}
