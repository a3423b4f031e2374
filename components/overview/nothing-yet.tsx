import { useWho } from "@/components/resource/who";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { can } from "@/lib/resources/permissions";

/** An installation that no agent has called yet, and what leads there. */
export function NothingYet() {
  const { role } = useWho();
  return (
    <div className="p-5">
      <h1 className="text-lg font-semibold tracking-tight">Overview</h1>
      <EmptyState
        title="No agent has called a tool yet"
        action={
          can(role, "configuration:write") && (
            <>
              <LinkButton href="/admin/sources" variant="primary">
                Add a source
              </LinkButton>
              <LinkButton href="/admin/agents">Register an agent</LinkButton>
              <LinkButton href="/admin/preview">Preview as agent</LinkButton>
            </>
          )
        }
      >
        Once an agent calls, this page shows how many calls there are, how they end, how long they take and what is
        refused.
      </EmptyState>
    </div>
  );
}
