import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";

export default function NotFound() {
  return (
    <main className="flex min-h-dvh items-center justify-center">
      <EmptyState title="There is nothing here" action={<LinkButton href="/">Go to the start</LinkButton>}>
        The address is wrong, or what it named was deleted or renamed.
      </EmptyState>
    </main>
  );
}
