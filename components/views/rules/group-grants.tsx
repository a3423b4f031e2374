import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { useGo } from "@/components/resource/go";
import { useGet } from "@/components/resource/use-get";
import { storeDraft } from "@/components/resource/editor/stored-draft";
import { useWho } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { OffNote } from "@/components/views/disabled-note";
import { BLANK_POLICY } from "@/lib/access/model/blank-rows";
import { ALL } from "@/lib/access/model/configuration";
import type { Page } from "@/lib/contracts/changes/list";
import type { Row } from "@/lib/resources";
import { can } from "@/lib/resources/permissions";

/** Says on a group's page that no policy grants the group yet, and begins one. Hidden while a policy does. */
export function GroupGrants({ group }: { group: string }) {
  const go = useGo();
  const mayWrite = can(useWho().role, "configuration:write");
  const named = useGranting(group);
  const every = useGranting(ALL);
  if (named.data === undefined || every.data === undefined || named.data.total + every.data.total > 0) return null;
  return (
    <OffNote word="Not granted">
      No active policy grants this group yet, so no caller gets tools through it.{" "}
      {mayWrite && (
        <Button
          size="sm"
          className="my-0.5"
          onClick={() => go(storeDraft("policies", { ...BLANK_POLICY, groups: [group] }))}
        >
          Write a policy that grants it
        </Button>
      )}
    </OffNote>
  );
}

function useGranting(group: string) {
  const filters = new URLSearchParams({ effect: "allow", active: "true", group, limit: "1" });
  return useGet<Page<Row<"policies">>>(["policies", "granting", group], `/api/admin/policies?${filters}`, {
    ...NOTICE_QUERY,
    staleTime: 0,
  });
}
