import type { Route } from "next";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RowImpact } from "@/components/impact/row-impact";
import { PlanWarnings } from "@/components/resource/editor/plan-warnings";
import { ReviewReason } from "@/components/resource/review/review-reason";
import { refetchAfter } from "@/components/resource/query-client";
import { adminPath, Problem, request } from "@/components/resource/request";
import { useRemovePlan } from "@/components/resource/editor/use-row-plan";
import { idOf, type ResourceFacts } from "@/components/resource/view";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/overlays/toast";
import type { ResourceName, Row } from "@/lib/resources";
import type { RowPlan, RowUser } from "@/lib/contracts/changes/row-plan";
import { isConfigSection } from "@/lib/resources/sections";
import { showWarnings, type Saved } from "@/components/resource/editor/saved";
import { ErrorNote } from "@/components/ui/error-note";

interface ResourceDeleteProps<R extends ResourceName> {
  facts: ResourceFacts<R>;
  row: Row<R>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Asks before a deletion. A row in use stays, and the dialog names the rows that use it. */
export function ResourceDelete<R extends ResourceName>({ facts, row, open, onOpenChange }: ResourceDeleteProps<R>) {
  const router = useRouter();
  const remove = useRemove(facts.resource);
  const id = idOf(facts, row);
  const named = `${facts.words[0]} ${id}`;
  const plan = useRemovePlan(facts.resource, id, open);
  const problem = remove.error instanceof Problem ? remove.error : null;
  const [reason, setReason] = useState("");
  const waits = plan.data?.review ?? null;
  const users = problem?.users ?? plan.data?.users ?? [];
  const inUse = users.length > 0;
  const act = () =>
    remove.mutate(
      { id, revision: row.revision, ...(waits !== null && { reason }) },
      {
        onSuccess: () => {
          toast({ title: `Deleted ${named}` });
          router.push(`/admin/${facts.resource}` as Route);
        },
      },
    );
  const change = (next: boolean) => {
    remove.reset();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      size={isConfigSection(facts.resource) ? "md" : "sm"}
      title={inUse ? `${id} is in use` : `Delete ${named}?`}
      description={
        inUse ? "To delete it, first remove it from the objects that use it." : "The history stays under Changes."
      }
      footer={
        <>
          <Button onClick={() => change(false)}>{problem === null && !inUse ? "Cancel" : "Close"}</Button>
          {problem === null && !inUse && (
            <Button variant="danger" pending={remove.isPending || plan.isLoading} onClick={act}>
              {waits === null ? "Delete" : "Request review"}
            </Button>
          )}
        </>
      }
    >
      {inUse ? (
        <Users users={users} />
      ) : remove.error !== null ? (
        <ErrorNote text={remove.error.message} />
      ) : (
        <div className="flex flex-col gap-3">
          <Effect resource={facts.resource} id={id} warnings={plan.data?.warnings ?? []} />
          {waits !== null && (
            <ReviewReason review={{ ...waits, mayBypass: false }} reason={reason} onReason={setReason} />
          )}
        </div>
      )}
    </Dialog>
  );
}

interface EffectProps {
  resource: ResourceName;
  id: string;
  warnings: RowPlan["warnings"];
}

/** The effect of the deletion on callers and past calls, and the assertions that would fail. */
function Effect({ resource, id, warnings }: EffectProps) {
  return (
    <div className="flex flex-col gap-3">
      {isConfigSection(resource) && <RowImpact change={{ resource, id, input: null }} label="Impact of the deletion" />}
      <PlanWarnings title="After the deletion:" warnings={warnings} />
    </div>
  );
}

function Users({ users }: { users: readonly RowUser[] }) {
  return (
    <ul aria-label="Used by" className="flex flex-col gap-1 text-sm">
      {placesOf(users).map(([href, label]) => (
        <li key={href}>
          <TextLink href={href}>{label}</TextLink>
        </li>
      ))}
    </ul>
  );
}

/** The rows that use this one, each once: the address of its editor, and its name. */
function placesOf(users: readonly RowUser[]): readonly (readonly [href: string, label: string])[] {
  const places = users.map(({ resource, id }) =>
    resource === "settings"
      ? (["/admin/settings", "General settings"] as const)
      : ([`/admin/${resource}/${encodeURIComponent(id)}`, `${resource}: ${id}`] as const),
  );
  return [...new Map(places)];
}

/** Deletes one row at the revision that the person saw. */
function useRemove(resource: ResourceName) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, revision, reason }: { id: string; revision: number; reason?: string }) =>
      request<Saved<object> | undefined>(adminPath(resource, id), {
        method: "DELETE",
        ifMatch: revision,
        reason,
      }),
    onSuccess: (answer, { id }) => {
      showWarnings(answer?.warnings);
      client.removeQueries({ queryKey: [resource, "row", id] });
      void refetchAfter(client, resource, id);
    },
  });
}
