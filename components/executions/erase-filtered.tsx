import { EraseButton } from "@/components/executions/erase-button";
import { useLatestCalls } from "@/components/executions/use-latest-calls";
import { useCan } from "@/components/resource/who";

/**
 * Offers to erase the bodies of the agent or subject that the list is filtered by, within its time range. With both or
 * another filter it offers nothing, because the erasure would reach calls that the list does not show.
 */
export function EraseFiltered({ apiQuery }: { apiQuery: Readonly<Record<string, string>> }) {
  const may = useCan("retention:write");
  const { agent, subject, from, to, ...others } = apiQuery;
  const isBoth = agent !== undefined && subject !== undefined;
  const time = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  if (!may || isBoth || Object.keys(others).length > 0) return null;
  if (agent !== undefined)
    return <EraseButton erasure={{ agent, ...time }} label="Erase arguments and results of this agent…" />;
  return subject === undefined ? null : <EraseSubject subject={subject} time={time} />;
}

/** How many calls may name issuers of a subject. */
const READ_CALLS = 100;

/**
 * Subjects are unique only within an issuer, so this offers one erasure for each issuer of the latest calls, and one for an
 * issuer that only older calls have.
 */
function EraseSubject({ subject, time }: { subject: string; time: { readonly from?: string; readonly to?: string } }) {
  const { data, isPending } = useLatestCalls({ subject, ...time }, READ_CALLS);
  if (isPending) return null;
  const issuers = [...new Set(data?.items.map(({ issuer }) => issuer))];
  const label = "Erase arguments and results of this subject";
  return (
    <>
      {issuers.map((issuer) => (
        <EraseButton key={issuer} erasure={{ issuer, subject, ...time }} label={`${label} of ${issuer}…`} />
      ))}
      <EraseButton
        erasure={{ subject, ...time }}
        label={issuers.length === 0 ? `${label}…` : `${label} of another issuer…`}
      />
    </>
  );
}
