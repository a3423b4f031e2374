import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { useLatestCalls } from "@/components/executions/use-latest-calls";
import { useCan } from "@/components/resource/who";
import { Button } from "@/components/ui/button";
import { lazyPart } from "@/components/ui/lazy-part";
import { Menu, MenuItem } from "@/components/ui/overlays/menu";
import type { ErasureInput } from "@/lib/contracts/log/erasure";

const Dialog = lazyPart(async () => (await import("@/components/executions/erase-dialog")).EraseDialog);

type Query = Readonly<Record<string, string>>;

/** An erasure and the words of its menu item. */
interface OfferedErasure {
  readonly label: string;
  readonly erasure: ErasureInput;
}

/** A menu with the erasures that the filters of the list offer, away from the links that only read. */
export function EraseFiltered({ apiQuery }: { apiQuery: Query }) {
  const offered = useErasures(apiQuery);
  const [chosen, setChosen] = useState<ErasureInput | null>(null);
  if (offered.length === 0) return null;
  return (
    <>
      <Menu
        trigger={
          <Button size="sm" variant="ghost" className="ml-auto" aria-label="More actions for these calls">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        {offered.map(({ label, erasure }) => (
          <MenuItem key={label} danger onSelect={() => setChosen(erasure)}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {chosen !== null && <Dialog erasure={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}

/** How many calls may name issuers of a subject. */
const READ_CALLS = 100;

/**
 * The erasures of the bodies of the agent or subject that the list is filtered by, within its time range. None with both or
 * another filter, because the erasure would reach calls that the list does not show. Subjects are unique only within an
 * issuer: one erasure for each issuer of the latest calls, and one for an issuer that only older calls have.
 */
export function useErasures(apiQuery: Query): readonly OfferedErasure[] {
  const may = useCan("retention:write");
  const { agent, subject, from, to, ...others } = apiQuery;
  const isOne = (agent === undefined) !== (subject === undefined);
  const isOffered = may && isOne && Object.keys(others).length === 0;
  const time = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const isOfSubject = isOffered && subject !== undefined;
  const { data, isPending } = useLatestCalls(
    { ...(subject !== undefined && { subject }), ...time },
    READ_CALLS,
    isOfSubject,
  );
  if (!isOffered) return [];
  if (agent !== undefined)
    return [{ erasure: { agent, ...time }, label: "Erase arguments and results of this agent…" }];
  if (subject === undefined || isPending) return [];
  const issuers = [...new Set(data?.items.map(({ issuer }) => issuer))];
  const label = "Erase arguments and results of this subject";
  return [
    ...issuers.map((issuer) => ({ erasure: { issuer, subject, ...time }, label: `${label} of ${issuer}…` })),
    { erasure: { subject, ...time }, label: issuers.length === 0 ? `${label}…` : `${label} of another issuer…` },
  ];
}
