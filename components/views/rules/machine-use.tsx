import { NOTICE_QUERY } from "@/components/resource/detail/notices";
import { useGet } from "@/components/resource/use-get";
import { TextLink } from "@/components/ui/text-link";
import { OffNote } from "@/components/views/disabled-note";
import type { Page } from "@/lib/contracts/changes/list";
import type { Row } from "@/lib/resources";

/** Says on a state machine's page that no agent has it yet. Hidden while one has. */
export function MachineUse({ machine }: { machine: string }) {
  const filters = new URLSearchParams({ machine, limit: "1" });
  const agents = useGet<Page<Row<"agents">>>(["agents", "using", machine], `/api/admin/agents?${filters}`, {
    ...NOTICE_QUERY,
    staleTime: 0,
  });
  if (agents.data === undefined || agents.data.total > 0) return null;
  return (
    <OffNote word="Not assigned">
      No agent has this state machine yet. Select it in the settings of an agent under{" "}
      <TextLink href="/admin/agents">Agents & keys</TextLink>.
    </OffNote>
  );
}
